import { type ChildProcess, spawn } from 'node:child_process';
import t from 'tap';
import { createForwarderStore } from '../../../control-plane/audit/forward/store.js';
import { entryIds, openForwardingScene, receiver, SECRET_KEY, unique } from '../../helpers/audit/forwarding-scene.js';
import { testDatabase } from '../../helpers/database.js';
import { nodeArguments } from '../../helpers/processes/node-arguments.js';

const mongo = await testDatabase();
const { close, drive, scene } = await openForwardingScene(mongo);
t.teardown(async () => {
  await close();
  await mongo.drop();
});

t.test('a worker with an old lease or old settings cannot move the cursor', async (t) => {
  const { workspace, api, forwarder } = await scene();
  const { id } = await forwarder({ type: 'syslog', target: 'syslog+tcp://127.0.0.1:9', paused: false });
  const store = createForwarderStore(mongo.db);
  const to = (sequence: number) => ({ id: `evt_${sequence}`, at_ms: null, sequence });
  t.equal(await store.advance({ id, version: 1, fence: 7 }, to(1), 1), true);
  t.equal(await store.advance({ id, version: 1, fence: 6 }, to(2), 2), false, 'another control plane holds the lease');
  t.equal(await store.fail({ id, version: 1, fence: 6 }, { error: 'late', atMs: 1, nextAttemptMs: 1 }), false);
  await api('PATCH', `/${id}`, { name: 'changed' });
  t.equal(await store.advance({ id, version: 1, fence: 8 }, to(3), 3), false, 'the settings have changed');
  await api('PATCH', `/${id}`, { paused: true });
  t.equal(await store.advance({ id, version: 3, fence: 8 }, to(4), 4), false, 'the forwarder is paused');
  t.equal((await store.find(workspace.id, id))?.cursor.sequence, 1);
});

t.test('another control plane takes over within 15 s after the running one was killed', async (t) => {
  const { write, forwarder, caughtUp } = await scene();
  const hook = await receiver(t);
  hook.behave(() => ({ status: 200, afterMs: 20 }));
  const { id } = await forwarder({ type: 'webhook', target: hook.url });
  const child = forwardProcess('a killed one');
  t.teardown(() => child.kill('SIGKILL'));
  const ids = await write(1_000);
  await hook.arrived(2, 20_000);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  drive(t, { owner: 'successor' });
  child.kill('SIGKILL');
  await gone;
  const killedAt = performance.now();
  const seen = hook.requests.length;
  await hook.arrived(seen + 1, 15_000);
  t.comment(`taken over after ${Math.round(performance.now() - killedAt)} ms`);
  const done = await caughtUp(id);
  t.equal(done.sequence, 1_000);
  t.same(unique(entryIds(hook.requests)), ids);
  t.ok(hook.requests.length <= 12, 'at most the current batch was sent twice');
});

function forwardProcess(owner: string): ChildProcess {
  const script = nodeArguments(new URL('../../helpers/audit/forward-process.ts', import.meta.url));
  const args = [...script, mongo.uri, owner, SECRET_KEY.toString('hex')];
  return spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}
