import { createSocket } from 'node:dgram';
import { pino } from 'pino';
import { systemClock } from '../../../kernel/clock.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { systemRandom } from '../../../kernel/random.js';
import { createChecker } from '../../../probe/checks/check.js';
import type { CheckOutcome } from '../../../probe/checks/outcome.js';
import { checksum } from '../../../probe/icmp/checksum.js';
import { createIcmp } from '../../../probe/icmp/icmp.js';
import { AF, IPPROTO_ICMP, loadIcmpSyscalls, SOCK } from '../../../probe/icmp/syscalls.js';
import { createResolver } from '../../../probe/resolve.js';
import { testClock } from '../clock.js';
import type { NamespacePing } from './targets-namespace.js';

const STEPS = 10;
/** A packet takes less to arrive, unless the machine is slow. Then a check ends without it. */
const STEP_PAUSE_MS = 30;

/** Runs inside the namespace of `targets-namespace.ts`: pings each target in turn and prints the outcomes as JSON. */
const ping: NamespacePing = JSON.parse(process.argv[2] ?? '');
const logged: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });

const { unreachableCode } = ping;
if (unreachableCode !== undefined) answerRequests((packet) => unreachable(packet, unreachableCode));
if (ping.forging) answerRequests(forgedReply);
const stepping = testClock();
const clock = ping.stepped ? stepping : systemClock;
const icmp = createIcmp({ clock, random: systemRandom, log });
const checker = createChecker({
  guard: createTargetGuard({ allowPrivate: true }),
  resolver: createResolver({ clock, servers: [], hostsPath: '/nowhere', resolvConfPath: '/nowhere' }),
  clock,
  icmp,
  log,
  userAgent: 'Picket/test',
  extraCaPem: null,
});
const outcomes: CheckOutcome[] = [];
for (const url of ping.targets) {
  const request = { type: 'ping', url, timeoutMs: ping.timeoutMs, http: null } as const;
  const check = checker.run(request, new AbortController().signal);
  if (ping.stepped) await moveClock();
  outcomes.push(await check);
}
process.stdout.write(JSON.stringify({ outcomes, logged }), () => process.exit(0));

async function moveClock(): Promise<void> {
  for (let step = 0; step < STEPS; step++) {
    await systemClock.sleep(STEP_PAUSE_MS);
    await stepping.advance(ping.timeoutMs / STEPS);
  }
}

/** Returns the error with the quoted request that a router without a route sends. */
function unreachable(packet: Buffer, code: number): Buffer {
  const quoted = Buffer.from(packet.subarray(0, 28));
  if (ping.foreign) quoted.writeUInt16BE(quoted.readUInt16BE(24) ^ 1, 24);
  return Buffer.concat([Buffer.from([3, code, 0, 0, 0, 0, 0, 0]), quoted]);
}

/** Returns a reply with the id and number of the request, which can be guessed, but without its payload. */
function forgedReply(packet: Buffer): Buffer {
  const reply = Buffer.alloc(packet.length - 20);
  packet.copy(reply, 4, 24, 28);
  return reply;
}

/** Opens a raw socket that receives each echo request and sends the packet that `answer` returns. */
function answerRequests(answer: (packet: Buffer) => Buffer): void {
  const calls = loadIcmpSyscalls();
  const raw = calls.socket(AF[4], SOCK.RAW | SOCK.NONBLOCK, IPPROTO_ICMP[4]);
  const fd = calls.socket(AF[4], SOCK.DGRAM | SOCK.NONBLOCK, 0);
  const socket = createSocket('udp4');
  socket.bind({ fd });
  calls.dup2(raw, fd);
  socket.on('message', (packet) => {
    if (packet[20] !== 8) return;
    const message = answer(packet);
    message.writeUInt16BE(checksum(message), 2);
    const address = Buffer.alloc(16);
    address.set(new Uint8Array(new Uint16Array([AF[4]]).buffer));
    packet.copy(address, 4, 12, 16);
    calls.sendto(fd, message, address);
  });
}
