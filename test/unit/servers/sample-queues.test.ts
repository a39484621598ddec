import t from 'tap';
import { createSampleQueues } from '../../../control-plane/servers/rules/metric/sample-queues.js';
import type { AcceptedSample } from '../../../control-plane/servers/servers.js';

const sampleOf = (workspaceId: string, serverId: string, atMs = 0) =>
  ({ workspaceId, serverId, atMs }) as unknown as AcceptedSample;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Queues whose evaluations the test ends. */
function queues() {
  const running: { sample: AcceptedSample; end: () => void }[] = [];
  const started: string[] = [];
  const { add, idle } = createSampleQueues(
    (sample) =>
      new Promise((end) => {
        started.push(`${sample.workspaceId}/${sample.serverId}/${sample.atMs}`);
        running.push({ sample, end });
      }),
  );
  return {
    ...{ add, idle, started },
    async end(workspaceId: string) {
      const index = running.findIndex(({ sample }) => sample.workspaceId === workspaceId);
      running.splice(index, 1)[0]?.end();
      await turn();
    },
    runningOf: (workspaceId: string) => running.filter(({ sample }) => sample.workspaceId === workspaceId).length,
  };
}

t.test('a workspace whose evaluations hang leaves runs to others', async (t) => {
  const { add, end, idle, runningOf } = queues();
  add(sampleOf('other', 'srv_o'));
  await end('other');
  for (let server = 0; server < 20; server++) add(sampleOf('hanging', `srv_${server}`));
  t.equal(runningOf('hanging'), 6);
  for (let server = 0; server < 5; server++) add(sampleOf('other', `srv_o${server}`));
  t.equal(runningOf('other'), 2, 'before those that came first');
  for (let left = 5; left > 0; left--) {
    t.equal(runningOf('other'), Math.min(2, left));
    await end('other');
  }
  t.equal(runningOf('hanging'), 6, 'its others wait for their own');
  for (let left = 20; left > 0; left--) await end('hanging');
  await idle();
});

t.test('the only workspace uses all runs', async (t) => {
  const { add, end, idle, runningOf } = queues();
  for (let server = 0; server < 20; server++) add(sampleOf('only', `srv_${server}`));
  t.equal(runningOf('only'), 8);
  for (let left = 20; left > 0; left--) await end('only');
  await idle();
});

t.test('two workspaces whose evaluations hang keep a third waiting for one evaluation', async (t) => {
  const { add, end, idle, runningOf } = queues();
  const hanging = ['one', 'two'];
  for (let server = 0; server < 20; server++) {
    for (const workspace of hanging)
      for (const atMs of [1, 2]) add(sampleOf(workspace, `srv_${workspace}${server}`, atMs));
  }
  const taken = () => hanging.reduce((sum, workspace) => sum + runningOf(workspace), 0);
  t.equal(taken(), 8);
  for (let server = 0; server < 3; server++) add(sampleOf('third', `srv_t${server}`));
  t.equal(runningOf('third'), 0);
  await end('one');
  t.equal(runningOf('third'), 1, 'also before the next sample of the same server');
  await end('third');
  t.equal(runningOf('third'), 1);
  for (let left = 2; left > 0; left--) await end('third');
  for (const workspace of hanging) for (let left = 40; left > 0; left--) await end(workspace);
  await idle();
});

t.test('the samples of a server are evaluated one after another, all of them', async (t) => {
  const { add, end, idle, started } = queues();
  for (const atMs of [1, 2, 3]) add(sampleOf('one', 'srv_1', atMs));
  add(sampleOf('one', 'srv_2', 1));
  t.same(started, ['one/srv_1/1', 'one/srv_2/1']);
  for (let left = 4; left > 0; left--) await end('one');
  await idle();
  t.same(started.slice(2), ['one/srv_1/2', 'one/srv_1/3']);
});
