import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { credentials } from '@grpc/grpc-js';
import t, { type Test } from 'tap';
import { createOpenChannel } from '../../../node-link/channel.js';
import type { NodeLinkClient } from '../../../proto/generated/picket/link/v1/NodeLink.js';
import { loadNodeLink } from '../../../proto/load.js';
import { createAuthority } from '../../helpers/probe/targets-tls.js';

/** Later than that of a channel of a node, which varies by a fifth around a second. */
const LATER_BACKOFF_MS = 1_600;

/** Returns a port that ends each connection at once, and the count of connections. */
async function refusingPort(t: Test) {
  const refused = { count: 0 };
  const server = createServer((socket) => {
    refused.count += 1;
    socket.on('error', () => {}).destroy();
    server.emit('refused');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, server, refused };
}

/** Makes a call that fails, and closes the client when it has. */
async function failToConnect(client: NodeLinkClient): Promise<void> {
  const call = client.connect();
  call.on('error', () => {});
  await new Promise((resolve) => call.once('status', resolve));
  client.close();
}

t.test('a channel that was closed after a failed attempt makes no further connection', async (t) => {
  const NodeLink = loadNodeLink();
  const { pem } = await createAuthority();
  const [own, other] = [await refusingPort(t), await refusingPort(t)];
  await failToConnect(createOpenChannel(NodeLink)(own.address, pem));
  t.equal(own.refused.count, 1);
  const again = once(other.server, 'refused').then(() => once(other.server, 'refused'));
  const plain = credentials.createSsl(Buffer.from(pem));
  const backoff = { 'grpc.initial_reconnect_backoff_ms': LATER_BACKOFF_MS, 'grpc.use_local_subchannel_pool': 1 };
  await failToConnect(new NodeLink(`ipv4:${other.address}`, plain, backoff));
  await again;
  t.equal(own.refused.count, 1, 'while that of grpc-js, closed later, has connected again');
});
