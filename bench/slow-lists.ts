// A name server in a process of its own, so that what it takes is not taken for the product's: all lists, healthy and
// empty, each at another distance. Says its port to the parent; ends with it.
import { createSocket } from 'node:dgram';
import packet from 'dns-packet';
import { systemClock } from '../kernel/clock.js';

const [min = 0, max = 0, ...zones] = process.argv.slice(2).map((arg, index) => (index < 2 ? Number(arg) : arg));
const RESPONSE_FLAGS = 0x8180;
const NXDOMAIN = 3;

const socket = createSocket('udp4');
socket.on('message', (raw, from) => {
  const { id = 0, questions = [] } = packet.decode(raw);
  const name = questions[0]?.name ?? '';
  const zone = zones.findIndex((each) => name.endsWith(String(each)));
  const isEntry = name.startsWith('2.0.0.127.') && questions[0]?.type === 'A';
  const answers = isEntry ? [{ type: 'A' as const, name, ttl: 60, data: '127.0.0.2' }] : [];
  const flags = RESPONSE_FLAGS | (isEntry ? 0 : NXDOMAIN);
  const answer = packet.encode({ type: 'response', id, flags, questions, answers });
  systemClock.after(Number(min) + (zone / zones.length) * (Number(max) - Number(min)), () => {
    socket.send(answer, from.port, from.address);
  });
});
socket.bind(0, '127.0.0.1', () => process.send?.(socket.address().port));
process.once('disconnect', () => process.exit(0));
