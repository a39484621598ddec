import { MongoClient } from 'mongodb';
import t from 'tap';
import { startReplicaSet } from '../../helpers/machine/replica-set.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { probe } from '../../helpers/probe/setup.js';
import { controlPlaneProcess } from '../../helpers/processes/control-plane-process.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { withAddresses } from '../../helpers/processes/joined-probe.js';
import { wrongClock } from '../../helpers/processes/wrong-clock.js';
import { missingSlots, scheduledChecks } from '../../helpers/results/scheduled-checks.js';
import { waitFor } from '../../helpers/wait.js';

const INTERVAL_MS = 10_000;
const SLOW_MS = -60_000;

t.test('a probe that moves to a control plane whose clock is a minute slow, and back, loses no slot', async (t) => {
  const set = await startReplicaSet(1);
  const [site, dataDir] = [await countedSite(), temporaryFolder(t)];
  const right = await controlPlaneProcess(set.uri('picket'), dataDir);
  const slow = await controlPlaneProcess(set.uri('picket'), dataDir, wrongClock(SLOW_MS));
  const database = new MongoClient(set.uri('picket'));
  t.teardown(async () => {
    await Promise.all([right.kill('SIGKILL'), slow.kill('SIGKILL')]);
    await database.close();
    await set.remove();
    await site.close();
  });
  await right.start();
  await slow.start();
  const settings = { name: 'site', type: 'http', url: site.url, locations: ['fra'], retries: 0 };
  const made = await right.api('POST', '/v1/monitors', { ...settings, interval_seconds: INTERVAL_MS / 1_000 });
  t.equal(made.status, 201);
  const id: string = made.body.data.id;
  const { body } = await right.api('POST', '/v1/admin/probes/join-tokens', { location: 'fra' });
  const addresses = [right, slow].map(({ grpcAddress }) => grpcAddress).join();
  probe(t, ['--join', withAddresses(body.data.token, addresses), '--data', temporaryFolder(t)]);
  const stored = () => scheduledChecks(database.db(), [id]);
  const more = async (what: string, count: number) => {
    const before = (await stored()).length;
    await waitFor(what, 90_000, async () => (await stored()).length >= before + count);
  };
  await more('checks at the one whose clock is right', 2);
  const fromMs = Math.min(...(await stored()).map(({ slotMs }) => slotMs));
  await right.kill('SIGKILL');
  await more('checks at the slow one', 4);
  await right.start();
  await slow.kill('SIGKILL');
  await more('checks back at the right one', 3);
  const checks = await stored();
  const untilMs = Math.max(...checks.map(({ slotMs }) => slotMs));
  const expected = { monitorIds: [id], locations: ['fra'], intervalMs: INTERVAL_MS, fromMs, untilMs };
  t.same(missingSlots(checks, expected), []);
  t.equal(new Set(checks.map(({ slotMs }) => slotMs)).size, checks.length, 'each slot is stored once');
  t.ok(Math.abs(untilMs - Date.now()) < 2 * INTERVAL_MS, 'the slots are those of the right time');
});
