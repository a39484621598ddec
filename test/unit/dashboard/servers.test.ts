import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

interface Row {
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
const { soonestFull } = await browserModule<{ soonestFull(disks: Disk[], nowMs: number): Disk | null }>(
  'parts/servers/server/forecast.ts',
);
const { rulesOf } = await browserModule<{ rulesOf(rules: Rule[], server: { id: string; tags: string[] }): Rule[] }>(
  'parts/servers/server/rules-of.ts',
);
const { removalOf, joinedSince } = await browserModule<{
  removalOf(command: string): string;
  joinedSince(newest: { created_at: string }[], token: { expires_at: string }): { created_at: string }[];
}>('parts/servers/join/commands.ts');
const { tagsOf } = await browserModule<{ tagsOf(text: string): string[] }>('parts/servers/server/tags-of.ts');

const server = (name: string, status: string, disk: number | null = null, changed = '2026-01-31T10:00:00Z'): Row => ({
  ...{ name, status, status_changed_at: changed },
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
  t.end();
});
