import t from 'tap';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { lockMonitor } from '../../helpers/locked-monitor.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { probe } from '../../helpers/probe/setup.js';
import { controlPlaneProcess } from '../../helpers/processes/control-plane-process.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { withAddresses } from '../../helpers/processes/joined-probe.js';
import { waitFor } from '../../helpers/wait.js';

const MONITORS = 3;
const NOTICED_MS_MAX = 90_000;

t.test('a monitor locked by a dead transaction keeps no other waiting, and recovers when it is unlocked', async (t) => {
  const [mongo, site, receiver] = [await testDatabase(), await countedSite(), await startReceiver()];
  const plane = await controlPlaneProcess(mongo.uri, temporaryFolder(t));
  let release = async () => {};
  t.teardown(async () => {
    await release();
    await plane.kill('SIGKILL');
    await receiver.close();
    await site.close();
    await mongo.drop();
  });
  await plane.start();
  await plane.api('POST', '/v1/channels', { type: 'webhook', name: 'hook', config: { url: receiver.url } });
  const ids: string[] = [];
  for (let index = 0; index < MONITORS; index++) {
    const url = `${site.url}/${index}`;
    const { body } = await plane.api('POST', '/v1/monitors', {
      ...{ name: `site ${index}`, type: 'http', url, locations: ['fra'], interval_seconds: 10, retries: 0 },
    });
    ids.push(body.data.id);
  }
  const { body } = await plane.api('POST', '/v1/admin/probes/join-tokens', { location: 'fra' });
  probe(t, ['--join', withAddresses(body.data.token, plane.grpcAddress), '--data', temporaryFolder(t)]);
  let failing = '/0';
  site.failWhen(({ path }) => path === failing);
  const notified = (type: string, index: number) =>
    waitFor(`${type} of monitor ${index}`, NOTICED_MS_MAX, () =>
      receiver.requests.some(({ json }) => json.type === type && json.data.incident.monitor_id === ids[index]),
    );
  await notified('incident.opened', 0);

  release = await lockMonitor(mongo.uri, ids[0] ?? '');
  const lockedMs = Date.now();
  failing = '/1';
  await notified('incident.opened', 1);
  const monitors = mongo.db.collection<MonitorDocument>('monitors');
  const checkedMs = async (index: number) =>
    (await monitors.findOne({ _id: ids[index] ?? '' }))?.live['fra']?.checked_at_ms ?? 0;
  await waitFor('new results of the others', NOTICED_MS_MAX, async () => {
    return (await checkedMs(1)) > lockedMs + 10_000 && (await checkedMs(2)) > lockedMs + 10_000;
  });
  t.ok((await checkedMs(0)) < lockedMs + 1_000, 'it was locked all the time');

  await release();
  await notified('incident.resolved', 0);
});
