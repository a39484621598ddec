import t from 'tap';
import { isSilencedByLink, withSilenceLink } from '../../../control-plane/incidents/silence/personal-silence.js';

/** As the product keeps. */
const LINKS_MAX = 100;

t.test('an incident keeps the last silence by a link of each channel, of a limited number of channels', async (t) => {
  const link = (channel_id: string) => ({ channel_id, channel_name: channel_id, person: null });
  let silence_links = withSilenceLink({ events: [] }, link('chn_first'), 1);
  silence_links = withSilenceLink({ events: [], silence_links }, link('chn_first'), 2);
  t.same(silence_links, [{ channel_id: 'chn_first', at_ms: 2 }]);
  t.ok(isSilencedByLink({ events: [], silence_links }, 'chn_first', 2));
  t.notOk(isSilencedByLink({ events: [], silence_links }, 'chn_first', 3), 'a newer link has not');
  for (let index = 0; index < LINKS_MAX; index++)
    silence_links = withSilenceLink({ events: [], silence_links }, link(`chn_${index}`), 3);
  t.equal(silence_links.length, LINKS_MAX);
  t.notOk(isSilencedByLink({ events: [], silence_links }, 'chn_first', 2));
});
