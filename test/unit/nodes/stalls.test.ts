import t from 'tap';
import { createAgentRequests } from '../../../control-plane/nodes/agents/requests.js';
import { createAgentSessions } from '../../../control-plane/nodes/agents/sessions.js';
import { createIdleWatch } from '../../../control-plane/nodes/streams/idle-watch.js';
import { createHeldLease } from '../../../control-plane/storage/leases/held-lease.js';
import { createThrottledTask } from '../../../control-plane/verdicts/throttled-task.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { loadProcessSampleCodec } from '../../../proto/load.js';
import { testClock } from '../../helpers/clock.js';

t.test('a control plane that was stopped does not take its own silence for that of a node', async (t) => {
  const clock = testClock();
  let idle = 0;
  const watch = createIdleWatch(clock, 25_000, () => {
    idle += 1;
  });
  await clock.advance(4_000);
  clock.stall(60_000);
  t.ok(watch.heardWithin(15_000), 'before any timer has fired');
  await clock.advance(20_000);
  t.equal(idle, 0);
  await clock.advance(5_000);
  t.ok(idle > 0, 'a node that stays silent is still noticed');
  watch.heard();
  clock.stall(60_000);
  watch.heard();
  t.ok(watch.heardWithin(0));
  await clock.advance(10_000);
  t.notOk(watch.heardWithin(9_000), 'a pause before the last message does not count twice');
  watch.stop();
});

t.test('a lease is queried again after a suspension, in which only the wall clock went on', async (t) => {
  const clock = testClock();
  let queries = 0;
  const leases = {
    async acquire() {
      queries += 1;
      return queries;
    },
    async release() {},
  };
  const lease = createHeldLease({ leases, owner: 'a', clock }, { name: 'task', leaseMs: 30_000 });
  t.equal(await lease.acquire(), 1);
  await clock.advance(5_000);
  t.equal(await lease.acquire(), 1, 'no query while it is fresh');
  clock.jump(60_000);
  t.equal(lease.ageMs(), 65_000);
  t.equal(await lease.acquire(), 2);
  clock.jump(-60_000);
  t.equal(await lease.acquire(), 2, 'a wall clock that is set back changes nothing');
  await clock.advance(10_000);
  t.equal(await lease.acquire(), 3, 'nor does it make the lease last longer');
});

t.test('after a stall, a sweep lets the results that wait be stored first', async (t) => {
  const clock = testClock();
  let runs = 0;
  const failed = (error: unknown) => t.fail(String(error));
  const task = createThrottledTask(clock, 1_000, async () => void runs++, failed);
  task.start();
  await clock.advance(10_000);
  t.equal(runs, 10);
  clock.stall(6_000);
  await clock.advance(4_000);
  t.equal(runs, 10, 'it waits for as long as the stall took');
  await clock.advance(2_000);
  t.ok(runs > 10);
  const before = runs;
  clock.stall(600_000);
  await clock.advance(29_000);
  t.equal(runs, before);
  await clock.advance(2_000);
  t.ok(runs > before, 'but not longer than half a minute');
  await task.stop();
});

t.test('a control plane that was stopped still takes the answer of an agent', async (t) => {
  const clock = testClock();
  const sessions = createAgentSessions(null as never);
  const node = { nodeId: 'srv_1', kind: 'agent', workspaceId: 'ws_1' } as const;
  sessions.put({ node, offer: () => true } as never);
  const requests = createAgentRequests({
    sessions,
    store: { newest: async () => null, pending: async () => [] } as never,
    codec: loadProcessSampleCodec(),
    controlPlane: 'one',
    clock,
    random: systemRandom,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const answer = { nonce: 1, atMs: 5, total: 7, byCpu: [], byMemory: [] };
  const asked = requests.processes('srv_1');
  clock.stall(30_000);
  await clock.advance(0);
  sessions.processesReceived(node, answer);
  t.same(await asked, answer, 'which waited unread');
  const silent = requests.processes('srv_1');
  await clock.advance(8_000);
  t.equal(await silent, null, 'without a stall it waits for 8 s');
  await requests.stop();
});
