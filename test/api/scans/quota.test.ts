import t from 'tap';
import { startScansApp } from '../../helpers/scans/app.js';

t.test('a plan allows so many scans a day, deleted ones too', async (t) => {
  const app = await startScansApp({ plan: 'Free', ports: [] });
  t.teardown(() => app.stop());
  app.probe.mode = 'killed';
  const start = async (host: string) =>
    app.request<{ id: string }>('POST', '/v1/scans', {
      body: { monitor_id: await app.addMonitor(`https://${host}/`) },
    });
  const first = await start('a.example');
  t.equal(first.status, 202);
  t.equal((await app.request('DELETE', `/v1/scans/${first.body.data.id}`)).status, 204);
  t.equal((await start('b.example')).status, 202);
  const refused = await start('c.example');
  t.equal(refused.status, 402);
  t.match(refused.body, { code: 'plan_limit', errors: [{ params: { limit: 'scans_per_day', allowed: 2 } }] });
  await app.clock.advance(10 * 60_000);
  app.probe.mode = 'gone';
  await app.run();
  const failed = await app.request<{ error: { code: string } }>('GET', '/v1/scans?status=failed');
  t.match(failed.body.data, [{ error: { code: 'no_probe' } }]);
  t.equal((await start('e.example')).status, 202, 'our own fault does not count');
  t.equal((await start('f.example')).status, 402);
  await app.clock.advance(86_400_000);
  t.equal((await start('d.example')).status, 202, 'the next day has its own');
});
