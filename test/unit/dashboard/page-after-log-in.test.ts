import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

const BASE = 'https://picket.example/tools/';

t.test('after the log-in the page that was wanted opens, and never another site', async (t) => {
  const { pageAfterLogIn } = await browserModule<{ pageAfterLogIn(next: string | null, base: string): URL }>(
    'entrance/page-after-log-in.ts',
  );
  const opened = (next: string | null) => pageAfterLogIn(next, BASE).href;
  t.equal(opened('/incidents?status=firing#top'), `${BASE}incidents?status=firing#top`);
  t.equal(opened('/'), BASE);
  t.equal(opened(null), BASE);
  const hostile = [
    ...['https://evil.example', '//evil.example', '/\\evil.example', '/https://evil.example', '/https:evil.example'],
    ...['javascript:alert(1)', '/javascript:alert(1)', '/data:text/html,x', '/\t/evil.example', '/ //evil.example'],
    ...['/../../../evil', '/.//evil.example', '/..//evil.example'],
  ];
  for (const next of hostile) {
    const { origin, protocol } = pageAfterLogIn(next, BASE);
    t.same([origin, protocol], ['https://picket.example', 'https:'], next);
  }
});
