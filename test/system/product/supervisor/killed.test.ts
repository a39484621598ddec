import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startProduct } from '../../../helpers/processes/product.js';
import { waitFor } from '../../../helpers/wait.js';

t.test('after kill -9 of the supervisor its processes end, and the next start works', async (t) => {
  const product = await startProduct({ PICKET_LOCATIONS: 'fra' });
  t.teardown(() => product.remove());
  await waitFor('the announcement', 60_000, () => product.output().includes('Agent      none (PICKET_LOCAL_AGENT=0)'));
  t.same((await product.api('GET', '/v1/servers')).body.data, [], 'there is no agent');
  t.notOk(existsSync(join(product.dataDir, 'agent')));
  await product.killSupervisor();
  // A file in place of the folder makes the agent fail.
  await writeFile(join(product.dataDir, 'agent'), 'no folder');
  await product.restart({ PICKET_LOCAL_AGENT: '1' });
  t.equal((await product.api('GET', '/v1/auth/me')).status, 200);
  t.ok(existsSync(join(product.dataDir, 'run')));
  await waitFor('the line about the agent', 60_000, () =>
    product.output().includes('picket: the agent cannot start, continuing without it'),
  );
  await product.kill('probe-fra');
  await waitFor('the probe to be restarted', 60_000, () => /probe fra ended.*restarting it/.test(product.output()));
});
