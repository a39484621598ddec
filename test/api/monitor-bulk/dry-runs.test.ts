import t from 'tap';
import { createPlanningLimit } from '../../../control-plane/monitor-bulk/planning.js';
import type { BulkPreview } from '../../../control-plane/monitor-bulk/schema.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { testClock } from '../../helpers/clock.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startBulkApp } from '../../helpers/monitor-bulk/app.js';
import { monitorActions, shop } from '../../helpers/monitors/actions.js';
import { waitFor } from '../../helpers/wait.js';

/** How long a dry run waits for its turn. */
const TURN_MS_MAX = 1_000;
const PAUSE_ALL = { operation: 'pause', filter: {}, dry_run: true };

/** An app whose dry runs read no monitor until `open` is called. */
async function heldApp(t: { teardown(run: () => unknown): void }) {
  const time = { ms: Math.ceil(Date.now() / 60_000) * 60_000 };
  const timers = testClock();
  /** How many requests have begun to wait for their turn. */
  const waits = { begun: 0 };
  const bulkApp = await startBulkApp({
    now: () => time.ms,
    after(delayMs, run) {
      if (delayMs === TURN_MS_MAX) waits.begun += 1;
      return timers.after(delayMs, run);
    },
  });
  t.teardown(() => bulkApp.app.stop());
  const { monitors } = bulkApp.needs;
  const { select } = monitors;
  let open = () => {};
  const gate = { isOpen: new Promise<void>((resolve) => (open = resolve)), reading: 0, most: 0, ended: 0 };
  monitors.select = async function* (...args) {
    gate.reading += 1;
    gate.most = Math.max(gate.most, gate.reading);
    try {
      await gate.isOpen;
      yield* select(...args);
    } finally {
      gate.reading -= 1;
      gate.ended += 1;
    }
  };
  const { create } = monitorActions(bulkApp.app);
  const { id } = await create(shop);
  const other = async () => (await buildKey(bulkApp.app.mongo, await buildWorkspace(bulkApp.app.mongo))).key;
  return { ...bulkApp, id, time, timers, waits, gate, open: () => open(), other };
}

t.test('a dry run needs the right to read monitors; alerts are shown to those who may read them, once', async (t) => {
  const { app, bulk, id, open } = await heldApp(t);
  open();
  const key = async (...scopes: ('monitors:read' | 'monitors:write' | 'alerts:read')[]) =>
    (await buildKey(app.mongo, app.workspace, { scopes })).key;
  const refused = await bulk(PAUSE_ALL, await key('monitors:write'));
  t.match(refused.body, { status: 403, code: 'insufficient_scope', required_scope: 'monitors:read' });
  const writer = await key('monitors:read', 'monitors:write');
  t.match((await bulk<BulkPreview>(PAUSE_ALL, writer)).body.data, { changed: 1, alerts: null });
  const reader = await key('monitors:read', 'monitors:write', 'alerts:read');
  t.match((await bulk<BulkPreview>(PAUSE_ALL, reader)).body.data, { alerts: { basis: 'stopped' } });
  t.equal((await bulk<BulkPreview>({ ...PAUSE_ALL, offset: 1 }, reader)).body.data.alerts, null);
  const change = await bulk({ operation: 'pause', ids: [id] }, await key('monitors:write'));
  t.equal(change.status, 202, 'a change itself shows nothing');
});

t.test('one dry run of a workspace and two of a process run at a time; more are refused after a second', async (t) => {
  const { bulk, gate, open, other, app, timers, waits } = await heldApp(t);
  const first = bulk(PAUSE_ALL);
  await waitFor('the first to read', 30_000, async () => gate.reading === 1);
  let answered = 0;
  const own = Array.from({ length: 19 }, () => bulk(PAUSE_ALL).finally(() => (answered += 1)));
  const foreign = [bulk(PAUSE_ALL, await other()), bulk(PAUSE_ALL, await other())];
  await waitFor('all to arrive', 30_000, () => waits.begun === 22 && gate.reading === 2);
  await timers.advance(TURN_MS_MAX - 1);
  await app.request('GET', '/v1/monitors');
  t.equal(answered, 0, 'they wait');
  await timers.advance(1);
  for (const answer of await Promise.all(own)) {
    t.match(answer.body, { status: 429, code: 'rate_limited' });
    t.equal(answer.headers.get('retry-after'), '2');
  }
  t.equal((await app.request('GET', '/v1/monitors')).status, 200, 'other requests are served');
  open();
  t.equal((await first).status, 200);
  t.same((await Promise.all(foreign)).map(({ status }) => status).sort(), [200, 429]);
  t.equal(gate.most, 2);
  t.equal((await bulk(PAUSE_ALL)).status, 200, 'the places are free again');
});

t.test('the work ends when the client has gone', async (t) => {
  const { app, bulk, gate, open, needs } = await heldApp(t);
  const { run } = needs.planning;
  let gone: AbortSignal | null = null;
  needs.planning.run = (planning, work) => {
    gone ??= planning.gone;
    return run(planning, work);
  };
  const client = new AbortController();
  const request = fetch(`${app.url}/v1/monitors/bulk`, {
    ...{ method: 'POST', body: JSON.stringify(PAUSE_ALL), signal: client.signal },
    headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' },
  });
  await waitFor('the request to read', 30_000, async () => gate.reading === 1);
  const { decide } = needs.monitors;
  let decisions = 0;
  needs.monitors.decide = (...args) => {
    decisions += 1;
    return decide(...args);
  };
  client.abort();
  await t.rejects(request, { name: 'AbortError' });
  await waitFor('the server to hear of it', 30_000, () => gone?.aborted);
  open();
  await waitFor('the work to end', 30_000, async () => gate.ended === 1);
  t.equal(decisions, 0);
  t.equal((await bulk(PAUSE_ALL)).status, 200, 'its place is free');
});

t.test('planning for a workspace has a budget of 30 s a minute, also of changes; undos have none', async (t) => {
  const { bulk, apply, undone, gate, open, time, id, other } = await heldApp(t);
  const done = apply({ operation: 'pause', ids: [id] });
  await waitFor('the change to read', 30_000, async () => gate.reading === 1);
  time.ms += 30_000;
  open();
  const { id: changed } = await done;
  for (const asked of [PAUSE_ALL, { operation: 'pause', ids: [id] }]) {
    const refused = await bulk(asked);
    t.match(refused.body, { status: 429, detail: /more than 30 s of this minute. Try again in 30 s/ });
    t.equal(refused.headers.get('retry-after'), '30');
  }
  t.equal((await bulk(PAUSE_ALL, await other())).status, 200, 'of another workspace');
  t.match(await undone(changed), { state: 'undone' });
  time.ms += 30_000;
  t.equal((await bulk(PAUSE_ALL)).status, 200);
});

/** A limit whose work runs until `end`, or until it is given up. */
function limited() {
  const clock = testClock();
  const limit = createPlanningLimit({ clock });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const seen = { running: 0 };
  const run = (workspaceId: string, plan: PlanName, isDryRun = false) =>
    limit.run({ workspaceId, plan, isDryRun, gone: new AbortController().signal }, async (signal) => {
      seen.running += 1;
      await Promise.race([ended, new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))]);
      seen.running -= 1;
      signal.throwIfAborted();
      return 'done';
    });
  return { clock, run, seen, end: () => end() };
}

t.test('what takes longer than four seconds to plan is given up, and says so', async (t) => {
  for (const [isDryRun, message] of [
    [true, /^The dry run took longer than 4 s/],
    [false, /^Preparing the change took longer than 4 s, and was given up. Nothing was changed. Select fewer/],
  ] as const) {
    const { clock, run } = limited();
    const given = t.rejects(run('ws_1', 'Enterprise', isDryRun), { code: 'unavailable', message });
    await clock.advance(0);
    await clock.advance(4_000);
    await given;
  }
});

t.test('workspaces on Free take one place only, and 5 s of a minute', async (t) => {
  const { clock, run, seen, end } = limited();
  const first = run('ws_1', 'Free');
  await clock.advance(0);
  const second = t.rejects(run('ws_2', 'Free'), { code: 'rate_limited', message: /being prepared/ });
  const paying = run('ws_3', 'Pro');
  await clock.advance(1_000);
  await second;
  t.equal(seen.running, 2);
  end();
  t.same(await Promise.all([first, paying]), ['done', 'done']);
  const { clock: later, run: again } = limited();
  for (const _ of [1, 2]) {
    const given = t.rejects(again('ws_1', 'Free'), { code: 'unavailable' });
    await later.advance(0);
    await later.advance(4_000);
    await given;
  }
  await t.rejects(again('ws_1', 'Free'), { code: 'rate_limited', message: /more than 5 s of this minute/ });
  await later.advance(60_000);
  const given = t.rejects(again('ws_1', 'Free'), { code: 'unavailable' });
  await later.advance(0);
  await later.advance(4_000);
  await given;
});
