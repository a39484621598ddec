import t from 'tap';
import { readFeedSetting, settingHash } from '../../../../control-plane/wordpress/vulnerabilities/setting.js';
import { readSettings } from '../../../../kernel/settings.js';

const FEED = 'PICKET_VULNERABILITY_FEED';
const KEY = 'PICKET_VULNERABILITY_FEED_KEY';
const read = (feed?: string, key?: string) => readFeedSetting(readSettings({ [FEED]: feed, [KEY]: key }));

t.test('the feed is a file or a URL, and none by default', async (t) => {
  t.equal(read(), null);
  t.same(read('/srv/feed.json'), { file: '/srv/feed.json' });
  t.same(read('feed.json'), { file: `${process.cwd()}/feed.json` });
  t.same(read('https://feeds.example/v3'), { url: 'https://feeds.example/v3', key: null });
  t.same(read('HTTP://feeds.example/', 'abc'), { url: 'HTTP://feeds.example/', key: 'abc' });
});

t.test('a wrong setting is named, and never shown', async (t) => {
  const refused = (feed: string | undefined, key: string | undefined, variable: string) => {
    const named = { name: 'SettingError', message: new RegExp(`^${variable} (?!.*secret)`) };
    t.throws(() => read(feed, key), named, `${feed} with ${key}`);
  };
  refused('ftp://secret.example/feed', undefined, FEED);
  refused('file:///srv/secret', undefined, FEED);
  refused('https://secret example/', undefined, FEED);
  refused('https://feeds.example/', 'secret with spaces', KEY);
  refused('/srv/feed.json', 'secret', KEY);
  refused(undefined, 'secret', KEY);
});

t.test('another address is another feed, another key is not', async (t) => {
  const hash = (feed: string, key?: string) => settingHash(read(feed, key) as NonNullable<ReturnType<typeof read>>);
  t.equal(hash('https://feeds.example/', 'a'), hash('https://feeds.example/', 'b'));
  t.not(hash('https://feeds.example/'), hash('https://feeds.example/v3'));
  t.not(hash('/srv/a.json'), hash('/srv/b.json'));
});
