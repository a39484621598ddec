import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const FILES_MAX = 512;
const SILENT = 800;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri, {}, { filesMax: FILES_MAX });
const sockets: Socket[] = [];
t.teardown(async () => {
  for (const socket of sockets) socket.destroy();
  await plane.remove();
  await mongo.drop();
});

/** Returns the status of `GET /healthz` on a connection of its own. */
async function statusFrom(localAddress: string): Promise<number> {
  const request = get(`${plane.url}/healthz`, { localAddress, agent: false, timeout: 5_000 });
  request.on('timeout', () => request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

t.test('800 silent connections leave a control plane that may open 512 files room for others', async (t) => {
  const { port } = new URL(plane.url);
  const opened: Promise<unknown>[] = [];
  const ended = new Set<Socket>();
  for (let index = 0; index < SILENT; index++) {
    const localAddress = `127.0.${index % 2}.${2 + (index % 100)}`;
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress, allowHalfOpen: true });
    for (const event of ['end', 'close', 'error']) socket.on(event, () => ended.add(socket));
    sockets.push(socket.resume());
    opened.push(once(socket, 'connect'));
  }
  await Promise.all(opened);
  await waitFor('an answer', 60_000, async () => (await statusFrom('127.0.3.1')) === 200);
  // Turned away, or on a slow machine because their request did not arrive in time.
  await waitFor('the others to be ended', 60_000, () => ended.size >= SILENT - FILES_MAX / 2);
  const { body } = await plane.api('GET', '/metrics');
  const [, open] = /^picket_http_connections_open (\d+)$/m.exec(body) ?? [];
  const [, turnedAway] = /^picket_http_connections_turned_away_total (\d+)$/m.exec(body) ?? [];
  t.ok(Number(open) > 0 && Number(open) <= FILES_MAX / 2, `${open} are open`);
  t.ok(Number(turnedAway) > 0, `${turnedAway} were turned away`);
});
