import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { tooSlow } from '../../../control-plane/http/limits/too-slow.js';
import { limitUnreadAnswers } from '../../../control-plane/http/limits/unread-answers.js';
import { systemClock } from '../../../kernel/clock.js';
import { waitFor } from '../../helpers/wait.js';

const MEBIBYTE = 1024 * 1024;
/** More than what the system keeps of a connection that nobody reads. */
const ANSWER = Buffer.alloc(16 * MEBIBYTE);

t.test('those that wait longest go until the others fit, and fast ones never', (t) => {
  const waiting = new Map([
    ['new', { bytes: 50, ms: 0 }],
    ['old', { bytes: 30, ms: 9_000 }],
    ['older', { bytes: 30, ms: 20_000 }],
  ]);
  t.same(tooSlow(waiting, 110), []);
  t.same(tooSlow(waiting, 100), ['older']);
  t.same(tooSlow(waiting, 60), ['older', 'old']);
  t.same(tooSlow(waiting, 10), ['older', 'old'], 'a new one may be on its way');
  t.end();
});

async function start(t: Test, limits: { stillMsMax: number; bytesMax: number }) {
  const server = createServer(({ url }, response) => void response.end(url === '/small' ? '' : ANSWER));
  limitUnreadAnswers(server, { clock: systemClock, ...limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  async function ask(reads: boolean): Promise<{ socket: Socket; bytes(): number }> {
    const socket = connect(port, '127.0.0.1');
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
    };
    if (reads) socket.on('data', count);
    else socket.pause();
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: picket.test\r\n\r\n');
    return { socket, bytes: () => bytes };
  }
  return { ask, open, url: `http://127.0.0.1:${port}` };
}

t.test('an answer of which nothing is taken is given up; who reads gets all of it', async (t) => {
  const { ask, open } = await start(t, { stillMsMax: 1_500, bytesMax: 1_000 * MEBIBYTE });
  await ask(false);
  const reader = await ask(true);
  await waitFor('the answer', 20_000, () => reader.bytes() > ANSWER.length);
  await waitFor('the end of the other', 20_000, async () => (await open()) === 1);
  t.equal(reader.socket.destroyed, false);
});

t.test('the answers that wait for all clients have a limit', async (t) => {
  const { ask, open, url } = await start(t, { stillMsMax: 600_000, bytesMax: 2.5 * ANSWER.length });
  for (let count = 0; count < 6; count++) await ask(false);
  await waitFor('as many as fit', 30_000, async () => {
    await (await fetch(`${url}/small`, { headers: { connection: 'close' } })).text();
    return (await open()) <= 2;
  });
  const reader = await ask(true);
  await waitFor('the answer', 20_000, () => reader.bytes() > ANSWER.length);
  t.equal(reader.socket.destroyed, false, 'who reads is not in their way');
});
