import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { type OpenApi, operationsOf } from '../../helpers/openapi.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

/** Of one histogram series: thirteen buckets, the one without an end, sum and count. */
const LINES_OF_SERIES = 16;
/** The histogram of each, and its requests by status. Nothing else grows with the number of operations. */
const LINES_PER_OPERATION_MAX = 35;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const DURATION = 'picket_http_request_duration_seconds';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri, { PICKET_RATE_LIMIT: '0' });
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

t.test('every method on every path with several statuses leaves few lines', async (t) => {
  const document: OpenApi = JSON.parse(await (await fetch(`${controlPlane.url}/v1/openapi.json`)).text());
  const paths = Object.keys(document.paths);
  t.ok(paths.length > 40, `${paths.length} paths`);
  for (const path of paths) {
    const asked = path.replaceAll(/\{\w+\}/g, 'x');
    for (const method of METHODS) {
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
      await controlPlane.api(method, asked, hasBody ? { wrong: true } : undefined);
      await fetch(controlPlane.url + asked, { method });
      await fetch(controlPlane.url + asked, {
        method,
        headers: { 'if-match': 'x' },
        ...(hasBody ? { body: '{' } : {}),
      });
    }
  }
  const text = await (await fetch(`${controlPlane.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  t.ok(
    lines.some((line) => /^picket_data_dir_free_bytes [1-9]/.test(line)),
    'the free space',
  );
  const durations = lines.filter((line) => line.startsWith(DURATION));
  for (const line of durations) {
    const names = [...line.matchAll(/(\w+)="/g)].map(([, name]) => name).filter((name) => name !== 'le');
    t.same(names, ['method', 'route'], line);
  }
  // One series for each operation, one for the other methods of each path, and a few for what is outside the API.
  const operations = operationsOf(document).length;
  const series = durations.length / LINES_OF_SERIES;
  t.ok(series >= operations && series <= operations + paths.length + 5, `${series} series of ${operations} operations`);
  const statuses = lines.filter((line) => line.startsWith('picket_http_requests_total{'));
  t.ok(statuses.every((line) => /status="\d{3}"/.test(line)));
  t.ok(new Set(statuses.map((line) => /status="(\d+)"/.exec(line)?.[1])).size > 5, 'several statuses');
  t.ok(lines.length < LINES_PER_OPERATION_MAX * operations, `${lines.length} lines of ${operations} operations`);
});
