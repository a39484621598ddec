import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const SCRIPT = resolve('scripts/picket');

function picket(
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(SCRIPT, args, { env: { PATH: process.env['PATH'] ?? '', ...env } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

t.test('scripts/picket finds the database that scripts/start runs', async (t) => {
  const product = await startProduct({ PICKET_LOCATIONS: '' });
  t.teardown(() => product.remove());
  const env = { PICKET_DATA_DIR: product.dataDir };
  await product.api('POST', '/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:1' });
  const intact = await waitFor('the entry to be sealed', 60_000, async () => {
    const verified = await picket(['audit', 'verify'], env);
    return verified.out.includes('intact') && verified;
  });
  t.match(intact, { code: 0, out: /^My workspace \(ws_.*\nThe audit log is intact\.\n$/s, err: '' });
  t.match(await picket(['join-token', 'fra'], env), { code: 0, out: /^fra pjt_\S+\n$/ });
  t.equal(await product.stop(), 0);
  t.match(await picket(['audit', 'verify'], env), {
    code: 69,
    out: '',
    err: /^picket: the database cannot be reached: /,
  });
});

t.test('scripts/picket without a database names the missing setting', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'picket-nothing-'));
  t.teardown(() => rm(dataDir, { recursive: true, force: true }));
  t.match(await picket(['audit', 'verify'], { PICKET_DATA_DIR: dataDir }), { code: 78, err: /PICKET_MONGODB_URI/ });
});
