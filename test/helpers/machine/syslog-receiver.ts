import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One RFC 5424 message as it arrived. */
export interface SyslogMessage {
  text: string;
  priority: number;
  msgid: string;
  /** Parameters of the structured data. */
  data: Record<string, string>;
  body: string;
}

export interface SyslogReceiver {
  port: number;
  messages: SyslogMessage[];
  /** The open connections. */
  sockets: Set<Socket>;
  /** Stops reading. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts a receiver of octet-counted frames. It throws at an invalid frame. */
export async function startSyslogReceiver(options: { tls?: TlsOptions; port?: number } = {}): Promise<SyslogReceiver> {
  const messages: SyslogMessage[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      const { frames, left } = framesOf(Buffer.concat([rest, chunk]));
      rest = left;
      messages.push(...frames.map(parseMessage));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server: Server = options.tls === undefined ? createServer(take) : createTlsServer(options.tls, take);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    sockets,
    pause: () => sockets.forEach((socket) => void socket.pause()),
    resume: () => sockets.forEach((socket) => void socket.resume()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function framesOf(bytes: Buffer): { frames: string[]; left: Buffer } {
  const frames: string[] = [];
  let rest = bytes;
  for (;;) {
    const space = rest.indexOf(0x20);
    if (space === -1) break;
    const length = Number(rest.subarray(0, space).toString());
    if (!Number.isInteger(length) || length < 1) throw new Error(`no frame: ${rest.subarray(0, 80)}`);
    if (rest.length < space + 1 + length) break;
    frames.push(rest.subarray(space + 1, space + 1 + length).toString('utf8'));
    rest = rest.subarray(space + 1 + length);
  }
  return { frames, left: rest };
}

const MESSAGE = /^<(\d+)>1 (\S+) (\S+) picket - (\S+) \[picket@32473((?: [a-z]+="(?:[^"\\\]]|\\.)*")*)\] (.*)$/s;

export function parseMessage(text: string): SyslogMessage {
  const match = MESSAGE.exec(text);
  if (match === null) throw new Error(`no message: ${text}`);
  const [, priority = '', , , msgid = '', parameters = '', body = ''] = match;
  const data = Object.fromEntries(
    [...parameters.matchAll(/ ([a-z]+)="((?:[^"\\\]]|\\.)*)"/g)].map(([, name, value]) => [
      name,
      (value ?? '').replace(/\\(.)/g, '$1'),
    ]),
  );
  return { text, priority: Number(priority), msgid, data, body };
}
