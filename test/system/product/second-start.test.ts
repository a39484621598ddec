import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { freePort } from '../../helpers/machine/ports.js';
import { startProduct } from '../../helpers/processes/product.js';

const SUPERVISOR = fileURLToPath(new URL('../../../build/supervisor/main.js', import.meta.url));

t.test('a second start on the same data directory is refused, and so is one on ports that are in use', async (t) => {
  const product = await startProduct({ PICKET_LOCATIONS: 'fra' });
  t.teardown(() => product.remove());
  const pids = () => Promise.all(['mongod', 'control-plane', 'probe-fra'].map((name) => product.pid(name)));
  const running = await pids();
  const other = await mkdtemp(join(tmpdir(), 'picket-second-'));
  t.teardown(() => rm(other, { recursive: true, force: true }));
  const ports = async () => ({ PICKET_HTTP_PORT: `${await freePort()}`, PICKET_GRPC_PORT: `${await freePort()}` });
  const second = async (env: Record<string, string>) => {
    const settings = { PICKET_LOCAL_AGENT: '0', PICKET_LOCATIONS: '', ...(await ports()), ...env };
    const child = spawn(process.execPath, [SUPERVISOR], { env: { ...process.env, ...settings } });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    // Not `exit`, after which the rest of the output may come.
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, output };
  };
  t.match(await second({ PICKET_DATA_DIR: product.dataDir }), {
    code: 78,
    output: /^picket: PICKET_DATA_DIR \S+ is in use by Picket, which runs as process \d+\n$/,
  });
  t.match(await second({ PICKET_DATA_DIR: other, PICKET_HTTP_PORT: `${product.httpPort}` }), {
    code: 78,
    output: `picket: PICKET_HTTP_PORT ${product.httpPort} is in use: another process listens on 127.0.0.1`,
  });
  t.match(await second({ PICKET_DATA_DIR: other, PICKET_GRPC_PORT: `${product.grpcPort}` }), {
    code: 78,
    output: `picket: PICKET_GRPC_PORT ${product.grpcPort} is in use: another process listens on 127.0.0.1`,
  });
  t.match(await second({ PICKET_DATA_DIR: other, PICKET_HOST: '192.0.2.1' }), {
    code: 78,
    output: 'picket: PICKET_HOST 192.0.2.1 is not an address of this machine\n',
  });
  t.same(await pids(), running, 'no process of the first one was ended');
  t.ok((await fetch(`${product.url}/readyz?probes=1`)).ok);
});
