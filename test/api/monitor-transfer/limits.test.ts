import t from 'tap';
import type { ImportReport } from '../../../control-plane/monitor-transfer/schema.js';
import { systemClock } from '../../../kernel/clock.js';
import type { Answer } from '../../helpers/app.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';
import { transferWorkspace } from '../../helpers/monitors/transfer-workspace.js';
import { waitFor } from '../../helpers/wait.js';

const RUN_MS_MAX = 4_800;
const CHANNEL = `chn_${'0'.repeat(26)}`;
const tcp = (n: number, rest: object = {}) => ({ name: `M ${n}`, url: `m${n}.example:1`, type: 'tcp', ...rest });
const file = (...monitors: object[]) => ({ version: 1, monitors });
/** An import of this file is held: it names a channel. */
const HELD = file(tcp(0, { channels: [CHANNEL] }));

/** An app whose imports with channels go no further until `open` is called. */
async function heldApp(t: { teardown(run: () => unknown): void }) {
  const time = { ms: 0 };
  const deadlines: (() => void)[] = [];
  const app = await startMonitorsApp({
    clock: {
      ...systemClock,
      monotonic: () => time.ms,
      after(delayMs, run) {
        if (delayMs === RUN_MS_MAX) deadlines.push(run);
        return systemClock.after(delayMs, run);
      },
    },
  });
  t.teardown(() => app.stop());
  let open = () => {};
  const gate = { isOpen: new Promise<void>((resolve) => (open = resolve)), reading: 0, most: 0 };
  app.context.channels.unknown = async () => {
    gate.reading += 1;
    gate.most = Math.max(gate.most, gate.reading);
    await gate.isOpen;
    gate.reading -= 1;
    return [];
  };
  const held = async (sent: Promise<Answer<ImportReport>>, reading: number) => {
    await waitFor('the import to be held', 5_000, async () => gate.reading === reading);
    return () => sent;
  };
  return { app, gate, time, deadlines, held, open: () => open() };
}

t.test(
  'one file of a workspace is imported at a time, and one of all on Free; those who pay have a place',
  async (t) => {
    const { app, gate, held, open } = await heldApp(t);
    const [free, other, paying] = [
      await transferWorkspace(app, 'Free'),
      await transferWorkspace(app, 'Free'),
      await transferWorkspace(app, 'Pro'),
    ];
    const first = await held(free.import(HELD), 1);
    const refused = await Promise.all([free.import(HELD, '?dry_run=true'), other.import(HELD, '?dry_run=true')]);
    for (const answer of refused) {
      t.match(answer.body, { status: 429, code: 'rate_limited', detail: /Other files are being imported/ });
      t.equal(answer.headers.get('retry-after'), '2');
    }
    t.equal((await paying.import(file(tcp(1)))).status, 200);
    const second = await held(paying.import(HELD), 2);
    t.equal((await paying.import(HELD)).status, 429);
    open();
    t.same([(await first()).status, (await second()).status], [200, 200]);
    t.equal(gate.most, 2);
    t.equal((await other.import(HELD)).status, 200, 'the places are free again');
  },
);

t.test('imports of a workspace have a budget of each minute, also dry runs that are refused', async (t) => {
  const { app, time, held, open } = await heldApp(t);
  const workspace = await transferWorkspace(app, 'Free');
  const first = await held(workspace.import(file(...HELD.monitors, tcp(1, { locations: ['xyz'] }))), 1);
  time.ms += 5_000;
  open();
  t.equal((await first()).status, 422);
  const refused = await workspace.import(file(tcp(1)), '?dry_run=true');
  t.match(refused.body, {
    status: 429,
    detail:
      'The imports of this workspace have taken more than 5 s of this minute. Try again in 55 s, or import fewer monitors.',
  });
  t.equal(refused.headers.get('retry-after'), '55');
  time.ms += 55_000;
  t.equal((await workspace.import(file(tcp(1)))).status, 200);
});

t.test('an import that takes too long says so, and changes nothing', async (t) => {
  const { app, deadlines, held, open } = await heldApp(t);
  const workspace = await transferWorkspace(app);
  const imported = await held(workspace.import(HELD), 1);
  for (const over of deadlines) over();
  open();
  const answer = await imported();
  t.match(answer.body, {
    ...{ status: 503, code: 'unavailable' },
    detail: /^The import took longer than 4.8 s, and was given up. Nothing was imported. Split the file/,
  });
  t.same(await workspace.list(), []);
});

t.test('the plan is checked before the entries of a file', async (t) => {
  const app = await startMonitorsApp();
  t.teardown(() => app.stop());
  const workspace = await transferWorkspace(app, 'Free');
  t.equal((await workspace.import(file(tcp(0)))).status, 200);
  const wrong = Array.from({ length: 21 }, (_, n) => tcp(n, { locations: ['xyz'] }));
  for (const query of ['', '?dry_run=true']) t.equal((await workspace.import(file(...wrong), query)).status, 402);
  t.equal((await workspace.import(file(...wrong.slice(0, 20)))).status, 422, 'with room for all that are new');
});

t.test('many monitors are changed with a few statements', async (t) => {
  const app = await startMonitorsApp();
  t.teardown(() => app.stop());
  const workspace = await transferWorkspace(app);
  const many = (tags: string[]) => file(...Array.from({ length: 600 }, (_, n) => tcp(n, { tags, paused: true })));
  t.match((await workspace.import(many(['a']))).body.data.summary, { created: 600 });
  const { store } = app.context;
  const { changeAll } = store;
  let statements = 0;
  store.changeAll = async (...args) => {
    statements += 1;
    return changeAll(...args);
  };
  const { summary, monitors } = (await workspace.import(many(['b']))).body.data;
  t.match(summary, { updated: 600 });
  t.equal(statements, 3);
  const stored = app.mongo.db.collection<{ _id: string }>('monitors');
  const one = monitors[599];
  t.match(
    await stored.findOne({ _id: one?.id ?? '' }),
    { name: one?.name, tags: ['b'], version: 2 },
    'in the order of the file',
  );
  t.equal(await stored.countDocuments({ tags: 'b' }), 600);
  const audit = app.mongo.db.collection('audit_log');
  t.equal(await audit.countDocuments({ action: 'monitor.updated' }), 600, 'each has its audit entry');
});

t.test('the response of a dry run is not stored, and its key stays free', async (t) => {
  const app = await startMonitorsApp();
  t.teardown(() => app.stop());
  const keys = app.mongo.db.collection('idempotency_keys');
  const send = (query: string) =>
    app.request<ImportReport>('POST', `/v1/monitors/import${query}`, {
      ...{ body: file(tcp(1)), headers: { 'idempotency-key': 'once' } },
    });
  for (const _ of [1, 2]) {
    const answer = await send('?dry_run=true');
    t.match(answer, { status: 200, body: { data: { dry_run: true } } });
    t.equal(answer.headers.get('idempotent-replayed'), null);
  }
  t.equal(await keys.countDocuments(), 0);
  t.match((await send('')).body.data.summary, { created: 1 });
  const repeat = await send('');
  t.equal(repeat.headers.get('idempotent-replayed'), 'true');
  t.match(repeat.body.data.summary, { created: 1 });
});
