import { readFileSync } from 'node:fs';
import { createServer as createTcp, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';

/**
 * What the checks of `probe-checks.ts` look at, as a process of its own, so that its work is not counted:
 * `node probe-targets.js KEY.pem CERT.pem`. Prints `{http, https, tcp}` (ports) as one JSON line. Plain sockets, so
 * that the target takes as little of the machine as it can.
 */
const [keyPath = '', certPath = ''] = process.argv.slice(2);
const page = Buffer.from(`<html>KEYWORD-OK ${'picket '.repeat(140)}</html>`);
const answer = Buffer.concat([
  Buffer.from(
    `HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n`,
  ),
  page,
]);

function serveOnce(socket: Socket): void {
  socket.on('error', ignore);
  socket.once('data', () => socket.end(answer));
}

/** A check that is done resets its connection; that is no error of the target. */
function ignore(): void {}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', 4096, () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
}

const https = createTls({ key: readFileSync(keyPath), cert: readFileSync(certPath) }, serveOnce);
https.on('tlsClientError', ignore);
const ports = {
  http: await listen(createTcp(serveOnce)),
  https: await listen(https),
  tcp: await listen(createTcp((socket) => socket.on('error', ignore).resume())),
};
console.log(JSON.stringify(ports));
