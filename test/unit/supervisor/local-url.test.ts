import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { readConfig } from '../../../control-plane/config.js';
import { systemClock } from '../../../kernel/clock.js';
import { localUrl } from '../../../kernel/loopback.js';
import { readSupervisorConfig } from '../../../supervisor/config.js';
import { waitUntilReady } from '../../../supervisor/ready.js';

t.test('a server on any host of PICKET_HOST is reached from this machine', async (t) => {
  for (const [host, url] of [
    ['127.0.0.1', 'http://127.0.0.1'],
    ['0.0.0.0', 'http://127.0.0.1'],
    ['::1', 'http://[::1]'],
    ['::', 'http://[::1]'],
    ['localhost', 'http://localhost'],
  ] as const) {
    const server = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port } = server.address() as AddressInfo;
    t.equal(localUrl(host, port), `${url}:${port}`);
    await waitUntilReady(localUrl(host, port), systemClock);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  t.equal(localUrl('192.0.2.1', 80), 'http://192.0.2.1:80');
  t.equal(localUrl('2001:db8::1', 80), 'http://[2001:db8::1]:80');
});

t.test('the default of PICKET_PUBLIC_URL and PICKET_GRPC_ADDRESS is the loopback address of PICKET_HOST', (t) => {
  for (const [host, url] of [
    ['::1', 'http://[::1]'],
    ['127.0.0.2', 'http://127.0.0.2'],
    ['0.0.0.0', 'http://127.0.0.1'],
    ['192.0.2.1', 'http://127.0.0.1'],
    ['', 'http://127.0.0.1'],
  ] as const) {
    const env = { PICKET_MONGODB_URI: 'mongodb://a/picket?replicaSet=rs', PICKET_HOST: host };
    t.match(readConfig(env), { publicUrl: `${url}:8080`, grpcAddress: `${url.slice('http://'.length)}:8443` }, host);
    t.equal(readSupervisorConfig(env).publicUrl, `${url}:8080`, host);
  }
  t.end();
});
