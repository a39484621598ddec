import { createSocket } from 'node:dgram';
import { createServer, isIP, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import packet, { type Answer, type Packet } from 'dns-packet';

export interface DnsQuestion {
  /** In lower case, without a dot at its end. */
  name: string;
  /** `A`, `AAAA`, `TXT`. */
  type: string;
  transport: 'udp' | 'tcp';
  /** The number of earlier queries for this name and type, over both transports. */
  before: number;
}

/**
 * The answer to a query. Addresses alone are an answer with those of the requested family. `silence` is no
 * answer; `forward` passes the query on and the answer back.
 */
export type DnsReply =
  | string[]
  | 'NXDOMAIN'
  | 'NODATA'
  | 'SERVFAIL'
  | 'REFUSED'
  | 'silence'
  | { forward: string }
  | {
      answers?: Answer[];
      authorities?: Answer[];
      rcode?: keyof typeof RCODES;
      delayMs?: number;
      /** Truncated: without answers, so that the client queries again over TCP. */
      truncated?: boolean;
      /** `before`: an answer with another transaction ID comes first. `alone`: only that one comes. */
      wrongId?: 'before' | 'alone';
      /** These bytes instead of an answer. */
      raw?: Buffer;
    };

export interface ScriptedDns {
  /** `127.0.0.1:<port>`, as resolvers take it. */
  server: string;
  questions: DnsQuestion[];
  stop(): Promise<void>;
}

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
const RECURSION_AVAILABLE = 0x80;
const FORWARD_TIMEOUT_MS = 3_000;

/** Starts a name server on loopback, over UDP and TCP, that answers each query with `answer`. */
export async function startScriptedDns(
  answer: (question: DnsQuestion) => DnsReply | Promise<DnsReply>,
): Promise<ScriptedDns> {
  const questions: DnsQuestion[] = [];
  let isStopped = false;

  async function replies(query: Packet, raw: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer[]> {
    const [asked] = query.questions ?? [];
    if (asked === undefined) return [];
    const name = asked.name.toLowerCase();
    const before = questions.filter((each) => each.name === name && each.type === asked.type).length;
    const question: DnsQuestion = { name, type: asked.type, transport, before };
    questions.push(question);
    const reply = await answer(question);
    if (reply === 'silence') return [];
    if (typeof reply === 'object' && 'forward' in reply) return forward(reply.forward, raw);
    const script = scriptOf(reply, question);
    if (script.delayMs !== undefined) await sleep(script.delayMs);
    if (script.raw !== undefined) return [script.raw];
    const message = encode(query, script);
    const wrong = Buffer.from(message);
    wrong.writeUInt16BE(message.readUInt16BE(0) ^ 0x5555, 0);
    if (script.wrongId === 'alone') return [wrong];
    return script.wrongId === 'before' ? [wrong, message] : [message];
  }

  const { udp, tcp } = await bindBoth();
  udp.on('message', (raw, from) => {
    void replies(packet.decode(raw), raw, 'udp').then((messages) => {
      if (isStopped) return;
      for (const message of messages) udp.send(message, from.port, from.address, () => undefined);
    });
  });
  tcp.on('connection', (socket) => {
    let read: Buffer = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      read = Buffer.concat([read, chunk]);
      while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
        const raw = read.subarray(2, 2 + read.readUInt16BE(0));
        read = read.subarray(2 + raw.length);
        void replies(packet.decode(raw), raw, 'tcp').then((messages) => {
          for (const message of messages) {
            const length = Buffer.alloc(2);
            length.writeUInt16BE(message.length);
            socket.write(Buffer.concat([length, message]));
          }
        });
      }
    });
  });
  return {
    server: `127.0.0.1:${udp.address().port}`,
    questions,
    async stop() {
      isStopped = true;
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
    },
  };
}

/**
 * Starts a resolver for tests of the whole product: `hosts` has the addresses of invented domains and may change at any
 * time. All other queries go to `lists`, an rbldnsd with the zones. Other names do not exist.
 */
export function startResolver(parts: {
  hosts: ReadonlyMap<string, readonly string[]>;
  lists: { server: string; zones: readonly string[] };
  /** The delay before each answer. It may change at any time. */
  slow?: { ms: number };
}): Promise<ScriptedDns> {
  const { hosts, lists, slow } = parts;
  return startScriptedDns(async ({ name }) => {
    if (slow !== undefined) await sleep(slow.ms);
    if (lists.zones.some((zone) => name.endsWith(`.${zone}`))) return { forward: lists.server };
    const addresses = hosts.get(name);
    return addresses === undefined ? 'NXDOMAIN' : [...addresses];
  });
}

type Script = Exclude<DnsReply, string | string[] | { forward: string }>;

function scriptOf(reply: Exclude<DnsReply, 'silence' | { forward: string }>, { name, type }: DnsQuestion): Script {
  if (reply === 'NODATA') return {};
  if (typeof reply === 'string') return { rcode: reply };
  if (!Array.isArray(reply)) return reply;
  if (type !== 'A' && type !== 'AAAA') return {};
  const own = reply.filter((address) => isIP(address) === (type === 'A' ? 4 : 6));
  return { answers: own.map((data) => ({ type, name, ttl: 60, data })) };
}

function encode(query: Packet, { rcode, answers, authorities, truncated }: Script): Buffer {
  return packet.encode({
    type: 'response',
    id: query.id ?? 0,
    flags: RECURSION_AVAILABLE | (truncated === true ? packet.TRUNCATED_RESPONSE : 0) | RCODES[rcode ?? 'NOERROR'],
    questions: query.questions ?? [],
    answers: truncated === true ? [] : (answers ?? []),
    authorities: authorities ?? [],
  });
}

/** Returns no bytes if that server does not answer. */
async function forward(server: string, query: Buffer): Promise<Buffer[]> {
  const [host = '', port = ''] = server.split(':');
  const socket = createSocket('udp4');
  try {
    return await new Promise<Buffer[]>((resolve) => {
      socket.once('message', (answer) => resolve([answer]));
      socket.once('error', () => resolve([]));
      setTimeout(() => resolve([]), FORWARD_TIMEOUT_MS).unref();
      socket.send(query, Number(port), host);
    });
  } finally {
    socket.close();
  }
}

/** UDP and TCP on the same port. */
async function bindBoth() {
  for (;;) {
    const udp = createSocket('udp4');
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    const tcp = createServer();
    if (await isListening(tcp, udp.address().port)) return { udp, tcp };
    udp.close();
  }
}

function isListening(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
}
