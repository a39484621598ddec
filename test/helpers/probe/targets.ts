import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { waitFor } from '../wait.js';

/** A server for checks, on a loopback port of its own. */
export interface Target {
  port: number;
  /** `http://127.0.0.1:<port>`; targets with TLS say https. */
  url: string;
  /** Every request as it came, head and body. */
  requests: string[];
  /** The number of connections so far. */
  connections(): number;
  /** The number of open connections. */
  open(): number;
  /** The bytes received on the open connections. */
  received(): number;
  close(): Promise<void>;
}

/** Answers one complete request on a raw socket, so that a test decides about each byte. */
export type Answering = (socket: Socket, request: string) => void;

/** Listens on the address and answers each connection's first request. */
export async function startTarget(answer: Answering, address = '127.0.0.1', port = 0): Promise<Target> {
  return serveTarget((onSocket) => createServer(onSocket), 'http', answer, address, port);
}

/** Runs `use` with a target that answers like this, and closes the target. */
export async function withTarget<Result>(answer: Answering, use: (target: Target) => Promise<Result>): Promise<Result> {
  const target = await startTarget(answer);
  try {
    return await use(target);
  } finally {
    await target.close();
  }
}

/** Sends the same bytes on every connection without a request, as servers of other protocols do. */
export async function startGreeter(greeting: string): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume().write(greeting);
  });
  const port = await listen(server, '127.0.0.1');
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

const BACKLOG = 1;

/** Returns how many connections wait to be accepted on a port, as the kernel of Linux says it. */
function queuedAt(port: number): number {
  const address = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = new RegExp(`${address} 00000000:0000 0A \\w+:(?<queued>\\w+)`).exec(
    readFileSync('/proc/net/tcp', 'latin1'),
  );
  return Number.parseInt(listening?.groups?.['queued'] ?? '0', 16);
}

/**
 * A port that accepts no connection: the listening process is stopped and its queue is full, so that a further connection
 * gets no answer, as behind a firewall that drops.
 */
export async function startFullServer(): Promise<{ full: number; close(): Promise<void> }> {
  const script = `const s = require('net').createServer().listen({port: 0, host: '127.0.0.1', backlog: ${BACKLOG}}, () => {
    require('fs').writeSync(1, String(s.address().port)); process.kill(process.pid, 'SIGSTOP'); });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (bytes: Buffer) => resolve(Number(bytes))),
  );
  const filling = Array.from({ length: 6 }, () => connect({ host: '127.0.0.1', port }).on('error', () => undefined));
  await waitFor('a full queue', 20_000, () => queuedAt(port) > BACKLOG, 5);
  return {
    full: port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of filling) socket.destroy();
        child.on('close', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

/** What plain and TLS targets have in common. */
export async function serveTarget(
  create: (onSocket: (socket: Socket) => void) => Server,
  scheme: string,
  answer: Answering,
  address: string,
  wantedPort = 0,
): Promise<Target> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = create((socket) => {
    // A check closes the connection when it has read enough.
    socket.on('error', () => socket.destroy());
    let text = '';
    socket.on('data', (bytes) => {
      if (isComplete(text)) return;
      text += bytes.toString('latin1');
      if (!isComplete(text)) return;
      requests.push(text);
      answer(socket, text);
    });
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listen(server, address, wantedPort);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    port,
    url: `${scheme}://${host}:${port}`,
    requests,
    connections: () => connections,
    open: () => sockets.size,
    received: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server, address: string, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: address, ipv6Only: true }, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0);
    });
  });
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= end + 4 + length;
}

/** The bytes of an ordinary answer, with its length. */
export function answerBytes(
  body: string | Buffer,
  options: { status?: string; headers?: Record<string, string> } = {},
): Buffer {
  const bytes = Buffer.from(body);
  const headers = { 'content-type': 'text/html', 'content-length': String(bytes.length), ...options.headers };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${options.status ?? '200 OK'}\r\n${lines.join('')}\r\n`, 'latin1'),
    bytes,
  ]);
}

/** Answers every request with the same body and closes the connection. */
export function answering(
  body: string | Buffer,
  options: { status?: string; headers?: Record<string, string> } = {},
): Answering {
  return (socket) => socket.end(answerBytes(body, options));
}

/** `GET /a?b HTTP/1.1` → `/a?b`. */
export function pathOf(request: string): string {
  return request.split(' ')[1] ?? '';
}

/** Redirects by path: `{'/a': '302 /b'}`; other paths are answered 200 `arrived`. */
export function redirecting(routes: Record<string, string>): Answering {
  return (socket, request) => {
    const [status, location] = (routes[pathOf(request)] ?? '').split(' ');
    if (location === undefined) return void socket.end(answerBytes('arrived'));
    socket.end(answerBytes('', { status: `${status} Moved`, headers: { location } }));
  };
}

/** Writes `next()` repeatedly, as fast as the other side reads, until the other side closes the connection. */
export function pouring(start: string, next: () => Buffer): Answering {
  return (socket) => {
    socket.write(start);
    const pour = () => {
      while (!socket.destroyed && socket.write(next()));
    };
    socket.on('drain', pour);
    pour();
  };
}

/** Hostile behaviours of targets, by name. */
export const HOSTILE = {
  /** Accepts connections and sends nothing. */
  silent: (() => undefined) as Answering,
  /** Endless headers. */
  endlessHeaders: pouring('HTTP/1.1 200 OK\r\n', () => Buffer.from('x-filler: 0123456789abcdef\r\n'.repeat(100))),
  /** An endless header line. */
  endlessLine: pouring('HTTP/1.1 200 OK\r\nx-filler: ', () => Buffer.alloc(4096, 'x')),
  /** An endless body without a length. */
  endlessBody: pouring('HTTP/1.1 200 OK\r\n\r\n', () => Buffer.alloc(65_536, 'picket ')),
  /** An endless chunked body with one byte in each chunk. */
  endlessChunks: pouring('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', () =>
    Buffer.from('1\r\nx\r\n'.repeat(1000)),
  ),
  /** Endless interim responses. */
  endlessContinue: pouring('', () => Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))),
  /** A byte of the body every 20 ms. */
  dripping: ((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  }) as Answering,
  /** Repeated pieces of 64 KiB that decompress to 64 MiB. */
  gzipBomb: ((socket, request) => {
    const member = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    pouring('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n', () => member)(socket, request);
  }) as Answering,
  /** A redirect to itself. */
  redirectLoop: answering('', { status: '302 Found', headers: { location: '/again' } }),
  /** Closes the connection at once. */
  closing: ((socket) => socket.end()) as Answering,
  /** Resets the connection. */
  resetting: ((socket) => socket.resetAndDestroy()) as Answering,
  /** Closes the connection in the middle of the body. */
  halfBody: ((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')) as Answering,
} satisfies Record<string, Answering>;
