import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import t, { type Test } from 'tap';
import { listenFor } from '../../../control-plane/nodes/streams/connections/listener.js';
import { createAuthority } from '../../helpers/probe/targets-tls.js';

const CLIENTS = 200;
/** Before the first bytes were waited for, it was 81 KiB: 64 KiB of them for the first read. */
const CONNECTION_KIB_MAX = 40;
/** Connects as many TLS clients as its second argument says to the port in the first. */
const MANY_CLIENTS = `
  const tls = require('node:tls');
  const [port, count] = process.argv.slice(1).map(Number);
  for (let left = count; left > 0; left--) tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });`;

async function listen(t: Test, serve: (socket: Socket) => void) {
  const all = { opened: () => true, began: () => true, mayCall: () => true, proven: () => () => {}, close() {} };
  const listener = await listenFor({ host: '127.0.0.1', port: 0, connections: all, serve });
  t.teardown(() => listener.stop());
  return listener.port;
}

t.test('TLS starts when the first record of a client has arrived', async (t) => {
  const served: number[] = [];
  let resolve = () => {};
  const firstServed = new Promise<void>((done) => {
    resolve = done;
  });
  const port = await listen(t, (socket) => {
    served.push(socket.readableLength);
    socket.destroy();
    resolve();
  });
  const silent = connect(port, '127.0.0.1');
  const ended = connect(port, '127.0.0.1').resume().end();
  await Promise.all([once(silent, 'connect'), once(ended, 'close')]);
  t.same(served, [], 'neither for a silent client nor for one that has left, whose connection is closed');
  const record = Buffer.from([22, 3, 1, 0, 2, 1, 1]);
  connect(port, '127.0.0.1').write(record);
  await firstServed;
  t.same(served, [7], 'the bytes wait for TLS, and the client that connected before has none');
  silent.write(record.subarray(0, 6));
  silent.write(record.subarray(6));
  await once(silent.resume(), 'close');
  t.same(served, [7, 7], 'also in parts');
});

t.test('a TLS connection takes little memory outside of the heap', async (t) => {
  const bytesInUse = mallocBytes();
  if (bytesInUse === null) {
    t.comment('only the C library of GNU counts');
    return;
  }
  const server = createServer(await (await createAuthority()).issue());
  const open: Socket[] = [];
  const allOpen = new Promise<void>((resolve) => {
    server.on('secureConnection', (socket) => {
      if (open.push(socket.resume().on('error', () => {})) === CLIENTS) resolve();
    });
  });
  const port = await listen(t, (socket) => void server.emit('connection', socket));
  const before = bytesInUse();
  const clients = spawn(process.execPath, ['-e', MANY_CLIENTS, String(port), String(CLIENTS)]);
  t.teardown(async () => {
    clients.kill();
    await once(clients, 'exit');
    for (const socket of open) socket.destroy();
  });
  await allOpen;
  const kib = (bytesInUse() - before) / CLIENTS / 1024;
  t.comment(`${kib.toFixed(1)} KiB for each connection`);
  t.ok(kib < CONNECTION_KIB_MAX, `${kib.toFixed(1)} KiB`);
});

/** Returns a function that returns the bytes that this process has from malloc; null where nothing counts them. */
function mallocBytes(): (() => number) | null {
  const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi');
  const names = [
    'arena',
    'ordblks',
    'smblks',
    'hblks',
    'hblkhd',
    'usmblks',
    'fsmblks',
    'uordblks',
    'fordblks',
    'keepcost',
  ];
  const info = koffi.struct(Object.fromEntries(names.map((name) => [name, 'size_t'])));
  try {
    const mallinfo2 = koffi.load(null).func('mallinfo2', info, []);
    return () => {
      const { uordblks, hblkhd } = mallinfo2();
      return Number(uordblks) + Number(hblkhd);
    };
  } catch {
    return null;
  }
}
