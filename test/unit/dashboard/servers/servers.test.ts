import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Forecast {
  disk_forecast: { mount: string; full_at: string; hours_until_full: number } | null;
}
interface Row extends Forecast {
  name: string;
  status: string;
  status_changed_at: string;
  metrics: { cpu_percent: number | null; mem_used_percent: number | null; disk_used_percent: number | null } | null;
}
interface Disk {
  mount: string;
  used_percent: number | null;
  available_bytes: number;
  forecast: { full_at: string } | null;
}
interface Rule {
  type: string;
  server_ids: string[] | null;
  tags: string[] | null;
}

const { worstServersFirst, toneOf } = await browserModule<{
  worstServersFirst(rows: Row[]): Row[];
  toneOf(percent: number | null): string;
}>('parts/servers/order.ts');
const { fullIn } = await browserModule<{
  fullIn(server: Forecast, nowMs: number): { mount: string; left: string } | null;
}>('parts/servers/full-in.ts');
const { soonestFull } = await browserModule<{ soonestFull(disks: Disk[], nowMs: number): Disk | null }>(
  'parts/servers/server/forecast.ts',
);
const { rulesOf } = await browserModule<{ rulesOf(rules: Rule[], server: { id: string; tags: string[] }): Rule[] }>(
  'parts/servers/server/rules-of.ts',
);
const { localOnly, removalOf, joinedSince } = await browserModule<{
  localOnly(join: { install_command: string; agent_address: string }): string | null;
  removalOf(command: string): string;
  joinedSince(newest: { created_at: string }[], token: { expires_at: string }): { created_at: string }[];
}>('parts/servers/join/commands.ts');
const { tagsOf, tagsText } = await browserModule<{
  tagsOf(text: string): string[];
  tagsText(tags: readonly string[]): string;
}>('components/form/tags.ts');

const server = (name: string, status: string, disk: number | null = null, changed = '2026-01-31T10:00:00Z'): Row => ({
  ...{ name, status, status_changed_at: changed, disk_forecast: null },
  metrics: disk === null ? null : { cpu_percent: 1, mem_used_percent: null, disk_used_percent: disk },
});

t.test('servers that are offline come first, then those whose values warn, then the others by name', (t) => {
  const rows = [
    server('b', 'online', 40),
    server('hot', 'online', 90),
    server('a', 'online', 80),
    server('hotter', 'online', 97),
    server('new', 'pending'),
    server('long gone', 'offline', 99, '2026-01-30T10:00:00Z'),
    server('just gone', 'offline', 10, '2026-01-31T11:00:00Z'),
  ];
  const names = worstServersFirst(rows).map(({ name }) => name);
  t.same(names, ['just gone', 'long gone', 'new', 'hotter', 'hot', 'a', 'b']);
  t.same([null, 84.9, 85, 95].map(toneOf), ['ok', 'ok', 'warning', 'critical']);
  t.end();
});

t.test('the first line names the disk that is full, or the one that is full first within a week', (t) => {
  const nowMs = Date.parse('2026-01-31T12:00:00Z');
  const disk = (mount: string, used: number | null, hours: number | null, available = 1): Disk => ({
    ...{ mount, used_percent: used, available_bytes: available },
    forecast: hours === null ? null : { full_at: new Date(nowMs + hours * 3_600_000).toISOString() },
  });
  const name = (...disks: Disk[]) => soonestFull(disks, nowMs)?.mount ?? null;
  t.equal(name(disk('/', 50, null), disk('/a', 80, 30), disk('/b', 90, 9)), '/b');
  t.equal(name(disk('/a', 80, 9), disk('/full', 99.4, null)), '/full');
  t.equal(name(disk('/image', 100, null, 0)), null, 'a read-only image is always full');
  t.equal(name(disk('/slow', 50, 8 * 24), disk('/new', null, null)), null);
  t.end();
});

t.test('a rule applies to a server by its id, by one of its tags, or to all servers', (t) => {
  const rule = (server_ids: string[] | null, tags: string[] | null, type = 'metric') => ({ type, server_ids, tags });
  const mine = [rule(null, null), rule(['srv_1'], null), rule(null, ['db', 'prod'])];
  const others = [rule(['srv_2'], null), rule(null, ['db']), rule(null, null, 'blacklist_listed')];
  t.same(rulesOf([...mine, ...others], { id: 'srv_1', tags: ['prod'] }), mine);
  t.end();
});

t.test('the line that removes an agent is the one that installs it, with another argument', (t) => {
  const https = `curl --proto '=https' -fsSL https://p.example/install/agent.sh | sudo sh -s -- --token pjt_eyJ2-_1`;
  t.equal(
    removalOf(https),
    `curl --proto '=https' -fsSL https://p.example/install/agent.sh | sudo sh -s -- --uninstall`,
  );
  t.equal(removalOf(`sh -c 'sudo sh "$f" --token pjt_a'`), `sh -c 'sudo sh "$f" --uninstall'`);
  t.end();
});

t.test('a server that joined before the token was made is another one', (t) => {
  const newest = [{ created_at: '2026-01-31T12:00:01Z' }, { created_at: '2026-01-31T11:59:59Z' }];
  t.same(joinedSince(newest, { expires_at: '2026-02-01T12:00:00Z' }), newest.slice(0, 1));
  t.end();
});

t.test('tags are read from a text with commas', (t) => {
  t.same(tagsOf(' web, db ,,web,שרת '), ['web', 'db', 'שרת']);
  t.same(tagsOf(' , '), []);
  t.same(tagsOf('a b, "x'), ['a b', '"x'], 'blanks inside a tag stay, and a quote without its end');
  for (const tags of [['a, b', 'c'], ['"', 'x"y', '",'], ['web'], []]) t.same(tagsOf(tagsText(tags)), tags);
  t.end();
});

t.test('a disk that fills up says how long is left, and never that it is full', (t) => {
  const nowMs = Date.parse('2026-01-31T12:00:00.000Z');
  const filling = (hours: number): Forecast => ({
    disk_forecast: {
      ...{ mount: '/var', hours_until_full: hours },
      full_at: new Date(nowMs + hours * 3_600_000).toISOString(),
    },
  });
  t.same(fullIn(filling(9.1), nowMs), { mount: '/var', left: '9 h' });
  t.same(fullIn(filling(-1), nowMs), { mount: '/var', left: '10 min' }, 'as soon as a forecast can tell');
  t.equal(fullIn(filling(200), nowMs), null, 'no news');
  t.equal(fullIn({ disk_forecast: null }, nowMs), null);
  const rows = [server('full soon', 'online', 50), server('hot', 'online', 90), server('later', 'online', 50)];
  Object.assign(rows[0] as Row, filling(9));
  Object.assign(rows[2] as Row, filling(90));
  t.same(
    worstServersFirst(rows).map(({ name }) => name),
    ['full soon', 'hot', 'later'],
  );
  t.end();
});

interface Some {
  data: object[];
  next_cursor: string | null;
}
const { sentenceOf } = await browserModule<{
  sentenceOf(all: number, offline: Some, pending: Some): { sentence: string; tone: string };
}>('parts/servers/sentence-of.ts');

t.test('servers that have sent nothing yet are not called online', (t) => {
  const some = (count: number, next_cursor: string | null = null) => ({ data: Array(count).fill({}), next_cursor });
  const said = (all: number, offline: number, pending: number) => sentenceOf(all, some(offline), some(pending));
  t.same(said(1, 0, 0), { sentence: 'The server is online.', tone: 'up' });
  t.same(said(3, 0, 0), { sentence: 'All 3 servers are online.', tone: 'up' });
  t.same(said(1, 0, 1), { sentence: 'The server has joined and has not sent a sample yet.', tone: 'idle' });
  t.same(said(3, 0, 3), { sentence: '3 have joined and not sent a sample yet.', tone: 'idle' });
  t.same(said(3, 0, 1), {
    sentence: 'None of 3 servers is offline. 1 has joined and not sent a sample yet.',
    tone: 'idle',
  });
  t.same(said(3, 1, 1), {
    sentence: '1 of 3 servers is offline. 1 has joined and not sent a sample yet.',
    tone: 'down',
  });
  t.match(sentenceOf(900, some(0), some(200, 'c')).sentence, /More than 200 have joined/);
  t.end();
});

t.test('a command that works on no other server says so', (t) => {
  const only = (url: string, agent_address: string) =>
    localOnly({ install_command: `curl -fsSL ${url}/install/agent.sh | sudo sh -s -- --token pjt_a`, agent_address });
  t.equal(only('http://127.0.0.1:8080', '127.0.0.1:8443'), 'http://127.0.0.1:8080');
  t.equal(only('http://localhost:8080', 'picket.example:8443'), 'http://localhost:8080');
  t.equal(only('http://[::1]:8080', '[::1]:8443'), 'http://[::1]:8080');
  t.equal(only('https://picket.example', '127.0.0.1:8443'), '127.0.0.1:8443', 'agents cannot connect');
  t.equal(only('https://picket.example', 'a.example:8443, b.example:8443'), null);
  t.equal(only('http://192.0.2.7:8080', '192.0.2.7:8443'), null);
  t.end();
});
