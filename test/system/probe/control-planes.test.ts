import t from 'tap';
import type { CheckResult__Output } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { loadCheckResultCodec } from '../../../proto/load.js';
import { testDatabase } from '../../helpers/database.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { fakeHandler, fakeMonitors, startNodeSide } from '../../helpers/node-link/node-side.js';
import { http, probe, site } from '../../helpers/probe/setup.js';
import { withAddresses } from '../../helpers/processes/joined-probe.js';
import { waitFor } from '../../helpers/wait.js';

t.test('a probe with two control planes joins, moves when one drains, and reconnects after kill -9', async (t) => {
  const mongo = await testDatabase();
  t.teardown(() => mongo.drop());
  const codec = loadCheckResultCodec();
  const monitors = fakeMonitors();
  const handler = fakeHandler();
  const stored = new Map<string, CheckResult__Output>();
  handler.before = async (_node, records) => {
    for (const record of records) {
      const result = codec.decode(record.bytes);
      stored.set(`${result.monitorId} ${result.slotMs} ${result.attempt}`, result);
    }
    return undefined;
  };
  const one = await startNodeSide(mongo, monitors, { handler });
  const two = await startNodeSide(mongo, monitors, { handler });
  t.teardown(() => two.stop());
  const target = await site(t);
  monitors.put('fra', http('mon_a', `${target.url}/a`), http('mon_b', `${target.url}/down`, { phaseMs: 500 }));

  const token = await one.token('fra');
  const join = withAddresses(token, `${one.address},${two.address}`);
  const data = temporaryFolder(t);
  const running = probe(t, ['--join', join, '--data', data]);
  await waitFor('results', 60_000, () => stored.size >= 4).catch((error: Error) => {
    throw new Error(`${error.message}\n${running.output()}`);
  });
  monitors.remove('fra', 'mon_b');
  await one.stop();
  const before = stored.size;
  await waitFor('results through the other control plane', 60_000, () => stored.size >= before + 3);
  t.match(running.output(), new RegExp(`"connected".*${two.address}|${two.address}.*"connected"`));
  const seenB = target.seen.get('/down');

  await running.kill('SIGKILL');
  const again = probe(t, ['--data', data]);
  const restarted = stored.size;
  // The first address is unreachable now. The second one accepts a new process of a known node at once.
  await waitFor('results of the new process', 60_000, () => stored.size >= restarted + 2).catch((error: Error) => {
    throw new Error(`${error.message}\n${again.output()}`);
  });
  t.equal(await again.kill('SIGTERM'), 0);
  t.equal(target.seen.get('/down'), seenB, 'a removed monitor is not checked');
  const missing = target.total() - stored.size;
  t.ok(missing >= 0 && missing <= 1, `${target.total()} requests, ${stored.size} results`);
});
