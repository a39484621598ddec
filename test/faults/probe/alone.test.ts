import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { probe } from '../../helpers/probe/setup.js';
import { controlPlaneProcess } from '../../helpers/processes/control-plane-process.js';
import { countedSite } from '../../helpers/processes/counted-site.js';
import { compare, storedResults } from '../../helpers/results/stored-results.js';
import { waitFor } from '../../helpers/wait.js';

t.test('a probe that is killed while no control plane is reachable continues its last known checks', async (t) => {
  const database = await testDatabase();
  const site = await countedSite();
  const data = temporaryFolder(t);
  // The probe knows only the address of the first one. The second one serves the API all the time.
  const [one, two] = await Promise.all([data, data].map((folder) => controlPlaneProcess(database.uri, folder)));
  if (one === undefined || two === undefined) throw new Error('two control planes are needed');
  t.teardown(async () => {
    await Promise.all([one.kill('SIGKILL'), two.kill('SIGKILL')]);
    await site.close();
    await database.drop();
  });
  await one.start();
  await two.start();

  const ids = new Map<string, string>();
  for (const name of ['kept', 'deleted']) {
    const { body, status } = await one.api('POST', '/v1/monitors', {
      name,
      type: 'http',
      url: `${site.url}/${name}`,
      interval_seconds: 10,
      locations: ['fra'],
      http: { headers: { 'X-Token': 'in-the-file' } },
    });
    t.equal(status, 201);
    ids.set(name, body.data.id);
  }
  const [kept, deleted] = [ids.get('kept') ?? '', ids.get('deleted') ?? ''];
  const { body } = await one.api('POST', '/v1/admin/probes/join-tokens', { location: 'fra' });
  const probeData = temporaryFolder(t);
  const running = probe(t, ['--join', body.data.token, '--data', probeData]);
  const checks = (name: string, sinceMs: number) =>
    site.seen.filter(({ path, atMs }) => path === `/${name}` && atMs >= sinceMs);
  await waitFor(
    'checks of both monitors',
    30_000,
    () => checks('kept', 0).length > 0 && checks('deleted', 0).length > 0,
  );
  await waitFor('the assignments on disk', 10_000, () => existsSync(join(probeData, 'assignments.bin')));

  await one.kill('SIGKILL');
  await running.kill('SIGKILL');
  const alone = Date.now();
  const again = probe(t, ['--data', probeData]);
  const gone = await two.api('DELETE', `/v1/monitors/${deleted}`);
  t.equal(gone.status, 204, 'deleted while the probe is disconnected');
  await waitFor('two rounds without a control plane', 90_000, () => checks('kept', alone).length >= 2);
  t.ok(checks('deleted', alone).length >= 1, 'it also checks the deleted monitor');
  await waitFor('the log line', 10_000, () =>
    /the control plane does not answer, checking the saved assignments/.test(again.output()),
  );
  t.notMatch(again.output(), /in-the-file/);

  await one.start();
  await waitFor('the probe to reconnect', 40_000, async () => (await fetch(`${one.url}/readyz?probes=1`)).ok);
  // After a kill it counts as connected for up to 30 s, and it waits up to 30 s between attempts.
  await waitFor('the snapshot without the deleted monitor', 60_000, async () => {
    const { data } = (await one.api('GET', '/v1/admin/probes')).body;
    return data.length === 1 && data[0].assignments === 1;
  });
  const back = Date.now();
  await waitFor('another round', 60_000, () => checks('kept', back).length >= 1);
  t.equal(checks('deleted', back).length, 0, 'the deleted monitor is not checked any more');
  await waitFor('every result to be delivered', 20_000, async () => {
    const { paired, lost, invented } = compare(checks('kept', alone), await storedResults(one, kept), back);
    return lost.length === 0 && invented.every(({ checked_at }) => Date.parse(checked_at) < alone) && paired >= 2;
  });
  t.equal((await one.api('GET', `/v1/monitors/${deleted}`)).status, 404);
  const alerts = await one.api('GET', '/v1/alerts');
  t.strictSame(
    alerts.body.data.filter((incident: { monitor_id: string | null }) => incident.monitor_id !== null),
    [],
    'there are no alerts',
  );
  t.equal(await again.kill('SIGTERM'), 0);
});
