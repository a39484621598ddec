import { createSocket } from 'node:dgram';

/** The answer of a name server: addresses of both families, or an error. */
export type DnsAnswer = string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'NOTHING' | 'SILENCE';

export interface DnsServer {
  /** `127.0.0.1:<port>`, as resolvers take it. */
  address: string;
  /** The name of each query. */
  questions: { name: string; type: 'A' | 'AAAA' }[];
  close(): Promise<void>;
}

const TYPE_AAAA = 28;
const RCODES: Record<string, number> = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/**
 * Starts a name server on loopback. `answer` gets each query and the number of earlier queries for this name and type,
 * so that a name can change between two lookups.
 */
export async function startDnsServer(
  answer: (name: string, type: 'A' | 'AAAA', before: number) => DnsAnswer,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: DnsServer['questions'] = [];
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    const kind = type === TYPE_AAAA ? 'AAAA' : 'A';
    const before = questions.filter((each) => each.name === name && each.type === kind).length;
    questions.push({ name, type: kind });
    const said = answer(name, kind, before);
    if (said !== 'SILENCE') socket.send(reply(query, end, type, said), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length !== 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function reply(query: Buffer, questionEnd: number, type: number, said: Exclude<DnsAnswer, 'SILENCE'>): Buffer {
  const addresses = Array.isArray(said) ? said.filter((address) => address.includes(':') === (type === TYPE_AAAA)) : [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof said === 'string' ? (RCODES[said] ?? 0) : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => {
    const data = addressBytes(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}
