import t from 'tap';
import { checksum } from '../../../probe/icmp/checksum.js';
import { icmpErrorReason } from '../../../probe/icmp/error-reason.js';
import { PACKET_BYTES, parseIcmp, writeEchoRequest } from '../../../probe/icmp/packet.js';
import { type NamespacePing, pingInNamespace } from '../../helpers/probe/targets-namespace.js';

const HOUR_MS = 3_600_000;

t.test('ping: IPv4 and IPv6 on raw and datagram sockets', async (t) => {
  const targets = ['127.0.0.1', '[::1]', 'localhost', '192.0.2.1', '127.0.0.2'];
  const addresses = ['127.0.0.1', '::1', '127.0.0.1', null, '127.0.0.2'];
  const kinds = [false, true].map((datagram) => pingInNamespace({ datagram, targets, timeoutMs: HOUR_MS }));
  for (const { outcomes, logged } of await Promise.all(kinds)) {
    for (const [index, outcome] of outcomes.entries()) {
      const address = addresses[index] ?? null;
      t.match(outcome, { up: address !== null, address, httpStatus: null, certificate: null }, targets[index] ?? '');
      if (address !== null) t.ok(outcome.responseTimeMs > 0);
    }
    t.match(
      outcomes[3]?.error,
      { code: 'unreachable', message: /no route to its network/ },
      'the next target is not affected',
    );
    t.same(logged, [], 'nothing is logged');
  }
});

/** Far more than a loaded machine needs. If the probe ignored the errors, each attempt would fail. */
const TRIES_MAX = 20;

/** While other tests load the machine, the forged errors sometimes do not reach a datagram socket; a new process gets them. */
async function pingUntilError(ping: NamespacePing): ReturnType<typeof pingInNamespace> {
  for (let tries = 1; ; tries++) {
    const result = await pingInNamespace(ping);
    if (tries === TRIES_MAX || result.outcomes[0]?.error?.code !== 'packet_loss') return result;
  }
}

t.test('ping: lost packets, ICMP errors and a system that permits no pings', async (t) => {
  for (const datagram of [false, true]) {
    const kind = datagram ? 'datagram' : 'raw';
    const silent = { datagram, ignoring: true, targets: ['127.0.0.1'] };
    const lossy = { ...silent, stepped: true, timeoutMs: 400 };
    const [lost, unreachable, foreign, forged] = await Promise.all([
      pingInNamespace({ ...lossy, targets: ['127.0.0.1', '::1'] }),
      pingUntilError({ ...silent, unreachableCode: 1, timeoutMs: 3_000 }),
      pingInNamespace({ ...lossy, unreachableCode: 1, foreign: true }),
      pingInNamespace({ ...lossy, forging: true }),
    ]);
    const message = /did not reply to any of 3 echo requests within 400 ms$/;
    for (const outcome of lost.outcomes) t.match(outcome, { up: false, error: { code: 'packet_loss', message } }, kind);
    t.match(
      foreign.outcomes[0]?.error,
      { code: 'packet_loss' },
      `${kind}: an error for a request of another process is ignored`,
    );
    t.match(forged.outcomes[0]?.error, { code: 'packet_loss' }, `${kind}: a reply without the payload is ignored`);
    const noHost = '127.0.0.1 is unreachable: no such host answers on its network';
    t.match(unreachable.outcomes[0], { up: false, error: { code: 'unreachable', message: noHost } }, kind);
  }
  const targets = ['127.0.0.1', '127.0.0.1', '::1'];
  const refused = await pingInNamespace({ datagram: false, powerless: true, targets, timeoutMs: HOUR_MS });
  for (const outcome of refused.outcomes) {
    t.match(outcome, { up: false, error: { code: 'unreachable', message: /CAP_NET_RAW.*ping_group_range/ } });
  }
  t.equal(refused.logged.length, 1, 'one line is logged');
});

t.test('ICMP messages', async (t) => {
  const request = Buffer.alloc(PACKET_BYTES);
  writeEchoRequest(request, 4, 0x1234, 7, 0xabcdef012345);
  t.equal(checksum(request), 0, 'the sum over a correct checksum is 0');
  const reply = Buffer.from(request);
  reply[0] = 0;
  const ipHeader = Buffer.from('4500005400000000400100007f0000017f000001', 'hex');
  const expected = { kind: 'reply', id: 0x1234, sequence: 7, token: 0xabcdef012345 };
  t.same(parseIcmp(4, reply, false), expected);
  t.same(parseIcmp(4, Buffer.concat([ipHeader, reply]), true), expected);
  t.equal(parseIcmp(4, request, false), null, 'requests are ignored');
  const quoted = Buffer.concat([Buffer.from([3, 13, 0, 0, 0, 0, 0, 0]), ipHeader, request.subarray(0, 8)]);
  t.same(parseIcmp(4, quoted, false), {
    kind: 'error',
    type: 3,
    code: 13,
    id: 0x1234,
    sequence: 7,
    destination: '7f000001',
  });
  for (let length = 0; length < quoted.length; length++) t.equal(parseIcmp(4, quoted.subarray(0, length), false), null);
  for (let length = 0; length < 14; length++) t.equal(parseIcmp(4, reply.subarray(0, length), false), null);
  const six = Buffer.alloc(PACKET_BYTES);
  writeEchoRequest(six, 6, 1, 2, 3);
  const ipv6 = Buffer.alloc(40);
  ipv6[39] = 1;
  const error = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), ipv6, six]);
  t.match(parseIcmp(6, error, false), { kind: 'error', sequence: 2, destination: '1'.padStart(32, '0') });
  for (const [family, type, code, reason] of [
    [4, 11, 0, /routing loop/],
    [6, 3, 0, /routing loop/],
    [4, 3, 99, /code 99/],
    [4, 12, 0, /type 12/],
    [6, 1, 1, /firewall/],
  ] as const) {
    t.match(icmpErrorReason(family, type, code), reason);
  }
});
