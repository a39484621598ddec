import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../../kernel/clock.js';
import { waitFor } from '../wait.js';

/** A request as it arrived. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The body parsed as JSON. */
  json: ReturnType<typeof JSON.parse>;
  /** When it arrived, on the monotonic clock. */
  at: number;
}

/** The answer to a request. `hang`: none. `reset`: resets the connection. `drip`: an endless body. */
export type Behaviour =
  | 'hang'
  | 'reset'
  | 'drip'
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number };

export interface Receiver {
  url: string;
  port: number;
  requests: Received[];
  /** Sets the behaviour for later requests, or a function of the request and its number, from 0. */
  behave(behaviour: Behaviour | ((request: Received, index: number) => Behaviour)): void;
  /** Resolves when this number of requests has arrived. */
  arrived(count: number, timeoutMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

/** Starts a real HTTP server on a port of its own, which takes the place of a chat service or a customer's endpoint. */
export async function startReceiver(options: { host?: string } = {}): Promise<Receiver> {
  const requests: Received[] = [];
  let behaviour: (request: Received, index: number) => Behaviour = () => ({ status: 200 });
  const server = createServer(async (request, response) => {
    const received = await read(request);
    requests.push(received);
    answer(behaviour(received, requests.length - 1), response);
  });
  await new Promise<void>((resolve) => server.listen(0, options.host ?? '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    behave(next) {
      behaviour = typeof next === 'function' ? next : () => next;
    },
    async arrived(count, timeoutMs = 60_000) {
      await waitFor(`${count} requests`, timeoutMs, () => requests.length >= count, 5);
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const at = systemClock.monotonic();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? '', path: request.url ?? '', headers, body, json: parsed(body), at };
}

function parsed(body: string): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(body);
  } catch {
    return null; // Not every request is JSON; a test that expects it compares with what it wants.
  }
}

function answer(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'hang') return;
  if (behaviour === 'reset') return void response.socket?.resetAndDestroy();
  if (behaviour === 'drip') {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'.repeat(16_384)), 1);
    response.on('close', () => clearInterval(drip));
    return;
  }
  const { status, headers = {}, body = '', afterMs = 0 } = behaviour;
  setTimeout(() => response.writeHead(status, headers).end(body), afterMs);
}
