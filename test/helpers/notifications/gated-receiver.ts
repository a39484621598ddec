import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { createGate } from '../gate.js';

/** Starts a receiver that answers when the test opens its gate. */
export async function gatedReceiver(t: Pick<Test, 'teardown'>, status: number) {
  const gate = createGate();
  let requests = 0;
  const server = createServer(async (_request, response) => {
    requests += 1;
    await gate.pass();
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    gate.open();
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, gate, requests: () => requests };
}
