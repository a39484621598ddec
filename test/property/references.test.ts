import fc from 'fast-check';
import t from 'tap';
import { buildServer } from '../helpers/factories.js';
import { deadReferences } from '../helpers/references/dead.js';
import { startWorkspace } from '../helpers/references/workspace.js';

const workspace = await startWorkspace(t);
const { api, mongo, workspaceId } = workspace;

const RUNS = 8;
const COMMANDS_MAX = 16;

/** Places in the lists of what was created so far, deleted things included: whoever names one of those is refused. */
const place = fc.nat({ max: 30 });
const places = fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 });
const detach = fc.boolean();

const command = fc.oneof(
  fc.record({ do: fc.constantFrom('channel', 'server', 'blacklist', 'location') }),
  fc.record({ do: fc.constant('monitor'), channels: places, locations: places }),
  fc.record({ do: fc.constantFrom('rule', 'listing rule'), channels: places, targets: places }),
  fc.record({ do: fc.constantFrom('edit monitor', 'edit rule', 'bulk'), of: place, channels: places }),
  fc.record({ do: fc.constant('undo') }),
  fc.record({ do: fc.constant('delete monitor in bulk'), of: place, detach }),
  fc.record({ do: fc.constantFrom('window', 'status page'), targets: places }),
  fc.record({
    do: fc.constantFrom('delete channel', 'delete server', 'delete blacklist', 'delete monitor'),
    of: place,
    detach,
  }),
  fc.record({ do: fc.constantFrom('delete rule', 'delete location'), of: place }),
);
type Command = {
  do: string;
  of?: number;
  channels?: number[];
  targets?: number[];
  locations?: number[];
  detach?: boolean;
};

/** What one sequence has created, deleted things included. */
interface Ids {
  channel: string[];
  server: string[];
  blacklist: string[];
  monitor: string[];
  rule: string[];
  location: string[];
  bulk: string[];
}

const PATHS: Readonly<Record<string, string>> = {
  channel: '/v1/channels',
  server: '/v1/servers',
  blacklist: '/api/v1/blacklist/monitors',
  monitor: '/v1/monitors',
  rule: '/v1/alert-rules',
  location: '/v1/admin/locations',
};

/** How often something was done, so that the test is known to have tried it. */
const seen = new Map<string, number>();
const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
let names = 0;

const at = (ids: readonly string[], of = 0): string | undefined => ids[of % Math.max(1, ids.length)];
const all = (ids: readonly string[], of: readonly number[] = []): string[] => [
  ...new Set(of.flatMap((one) => at(ids, one) ?? [])),
];

const TARGET = { type: 'tcp', url: '127.0.0.1:9' };

async function run(ids: Ids, one: Command): Promise<void> {
  names += 1;
  const name = `Thing ${names}`;
  const channels = all(ids.channel, one.channels);
  const create = async (into: string[], path: string, body: unknown) => {
    const answer = await api('POST', path, body);
    note(`${one.do} ${answer.status}`);
    if (answer.status === 201) into.push(answer.body.data.id ?? answer.body.data.code);
  };
  const send = async (method: string, path: string, body?: unknown) => {
    const { status } = await api(method, path, body);
    note(`${one.do}${one.detach === true ? ' with detach' : ''} ${status}`);
    if (status >= 500) throw new Error(`${method} ${path}: ${status}`);
  };
  switch (one.do) {
    case 'channel':
      return create(ids.channel, PATHS['channel'] ?? '', {
        type: 'webhook',
        name,
        config: { url: 'http://127.0.0.1/' },
      });
    case 'server':
      ids.server.push((await buildServer(mongo, { workspace_id: workspaceId, name }))._id);
      return;
    case 'blacklist':
      return create(ids.blacklist, PATHS['blacklist'] ?? '', { target: `x${names}.example.com`, frequency: 'daily' });
    case 'location':
      return create(ids.location, PATHS['location'] ?? '', { code: `l${names}`, city: name, region: 'EU' });
    case 'monitor': {
      const locations = ['fra', ...all(ids.location, one.locations)];
      return create(ids.monitor, PATHS['monitor'] ?? '', { ...TARGET, name, channels, locations });
    }
    case 'rule': {
      const rule = { name, metric: 'cpu_percent', operator: '>', threshold: 90, channels };
      return create(ids.rule, PATHS['rule'] ?? '', { ...rule, server_ids: all(ids.server, one.targets) });
    }
    case 'listing rule': {
      const rule = { name, type: 'blacklist_listed', channels };
      return create(ids.rule, PATHS['rule'] ?? '', {
        ...rule,
        blacklist_monitor_ids: all(ids.blacklist, one.targets),
      });
    }
    case 'window': {
      const targets = { monitor_ids: all(ids.monitor, one.targets), server_ids: all(ids.server, one.targets) };
      const starts_at = new Date(Date.now() + 3_600_000).toISOString();
      const ends_at = new Date(Date.now() + 7_200_000).toISOString();
      return create([], '/v1/maintenance-windows', { name, ...targets, starts_at, ends_at });
    }
    case 'status page': {
      const monitors = all(ids.monitor, one.targets).map((id) => ({ name: id, monitor_id: id }));
      const servers = all(ids.server, one.targets).map((id) => ({ name: id, server_id: id }));
      const groups = [{ name: null, components: [...monitors, ...servers] }];
      return create([], '/v1/status-pages', { slug: `page-${names}`, title: name, groups });
    }
    case 'edit monitor':
    case 'edit rule': {
      const kind = one.do === 'edit rule' ? 'rule' : 'monitor';
      return send('PATCH', `${PATHS[kind]}/${at(ids[kind], one.of)}`, { channels });
    }
    case 'bulk':
    case 'delete monitor in bulk':
      return bulk(ids, one, channels);
    case 'undo': {
      const id = ids.bulk.pop();
      if (id !== undefined) note(`undo ${(await workspace.undo(id))?.state ?? 'refused'}`);
      return;
    }
    default: {
      const kind = one.do.replace('delete ', '') as keyof Ids;
      const query = one.detach === true ? '?detach=true' : '';
      return send('DELETE', `${PATHS[kind]}/${at(ids[kind], one.of)}${query}`);
    }
  }
}

async function bulk(ids: Ids, one: Command, channels: readonly string[]): Promise<void> {
  const monitor = at(ids.monitor, one.of);
  if (monitor === undefined) return;
  const what =
    one.do === 'bulk' ? { operation: 'set', set: { channels } } : { operation: 'delete', detach: one.detach === true };
  const accepted = await workspace.tryBulk({ ...what, ids: [monitor] });
  note(`${one.do}${one.detach === true ? ' with detach' : ''} ${accepted === null ? 'refused' : 'applied'}`);
  if (accepted !== null) ids.bulk.push(accepted.id);
}

/** Each sequence begins with them, so that the others find something and the most important cases are always tried. */
const FIRST: readonly Command[] = [
  ...['channel', 'channel', 'server', 'blacklist', 'location'].map((one) => ({ do: one })),
  { do: 'monitor', channels: [0, 1], locations: [0] },
  { do: 'rule', channels: [0], targets: [0] },
  { do: 'bulk', of: 0, channels: [1] },
  { do: 'delete channel', of: 0 },
  { do: 'delete channel', of: 0, detach: true },
  { do: 'edit monitor', of: 0, channels: [0] },
  { do: 'undo' },
  { do: 'window', targets: [0] },
  { do: 'status page', targets: [0] },
  { do: 'delete monitor in bulk', of: 0 },
  { do: 'delete monitor in bulk', of: 0, detach: true },
  { do: 'undo' },
];

t.test('after any creations, edits and deletions no stored reference is dead', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 6, maxLength: COMMANDS_MAX, size: 'max' }), async (commands) => {
      const ids: Ids = { channel: [], server: [], blacklist: [], monitor: [], rule: [], location: [], bulk: [] };
      for (const one of [...FIRST, ...commands]) {
        await run(ids, one);
        const dead = await deadReferences(mongo.db);
        if (dead.length > 0) throw new Error(`${JSON.stringify(one)} left ${JSON.stringify(dead)}`);
      }
    }),
    // Each run takes seconds, so a failing sequence is not made shorter.
    { numRuns: RUNS, endOnFailure: true },
  );
  for (const what of ['delete monitor in bulk refused', 'delete monitor in bulk with detach applied'])
    t.ok((seen.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...seen])}`);
  for (const what of [
    'delete channel 409',
    'delete channel with detach 200',
    'edit monitor 422',
    'undo undone',
    'window 201',
    'status page 201',
  ])
    t.ok((seen.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...seen])}`);
});
