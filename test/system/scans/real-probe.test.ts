import t from 'tap';
import { nginxSite } from '../../helpers/machine/nginx.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

t.test('a scan of a real website runs through a real probe', async (t) => {
  const product = await startProduct({ PICKET_LOCATIONS: 'fra' });
  t.teardown(() => product.remove());
  const { body } = await product.api('GET', '/v1/scans/confirmation');
  const { token, file_path: path } = body.data;
  const site = await nginxSite('<p>Shop</p>', `location = ${path} { return 200 "${token}"; }`);
  t.teardown(() => site.remove());
  await site.start();
  const monitor = await product.api('POST', '/v1/monitors', { name: 'Shop', type: 'http', url: site.url });
  t.equal(monitor.status, 201);
  const started = await product.api('POST', '/v1/scans', { monitor_id: monitor.body.data.id });
  t.equal(started.status, 202);
  const first = await waitFor('the end of the scan', 300_000, async () => {
    const { data } = (await product.api('GET', `/v1/scans/${started.body.data.id}`)).body;
    return ['completed', 'failed'].includes(data.status) ? data : null;
  });
  t.match(first, { status: 'completed', location: 'fra', proof: 'file', target: site.url });
  const codes = first.findings.map(({ code }: { code: string }) => code);
  t.ok(codes.includes('https_missing') && codes.includes('csp_missing'), codes.join());
});
