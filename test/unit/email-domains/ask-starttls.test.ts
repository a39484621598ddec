import { lookup } from 'node:dns';
import type { Socket } from 'node:net';
import t, { type Test } from 'tap';
import { createAskStarttls } from '../../../control-plane/email-domains/check/ask-starttls.js';
import { createGuardedConnect } from '../../../kernel/guard/guarded-connect.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { testClock } from '../../helpers/clock.js';
import { startSmtpScript } from '../../helpers/email-domains/smtp-script.js';
import { waitFor } from '../../helpers/wait.js';

const TALK_MS = 10_000;
const OFFER = '250-mx.example.com\r\n250 STARTTLS\r\n';

async function setUp(t: Test, say: (line: string, socket: Socket) => string) {
  const server = await startSmtpScript(say);
  t.teardown(() => server.stop());
  const clock = testClock();
  const guard = createTargetGuard({ allowPrivate: true });
  const ask = createAskStarttls({
    connect: createGuardedConnect({ guard, clock, lookup }),
    clock,
    ehloName: 'picket.example',
    port: server.port,
    secureContext: null,
  });
  const asked = ask({ host: 'mx.example.com', address: '127.0.0.2' }, new AbortController().signal);
  return { server, clock, asked };
}

/** Says the greeting, the answer to EHLO and then `toStarttls`. */
const answering = (toStarttls: string) => (line: string) => {
  if (line === '') return '220 mx.example.com\r\n';
  return line.startsWith('EHLO') ? OFFER : line === 'STARTTLS' ? toStarttls : '';
};

for (const [reply, kind] of [
  ['454 TLS not available due to temporary reason', 'refused'],
  ['421 closing', 'refused'],
  ['502 not implemented', 'tls_failed'],
] as const) {
  t.test(`the answer “${reply}” to STARTTLS is ${kind}`, async (t) => {
    const { asked } = await setUp(t, answering(`${reply}\r\n`));
    t.strictSame(await asked, { kind, reason: `the server answers STARTTLS with ${reply.slice(0, 3)}` });
  });
}

t.test('a server that is slow in the handshake was not measured', async (t) => {
  const { server, clock, asked } = await setUp(t, answering('220 go\r\n'));
  await waitFor('the server is asked for TLS', 10_000, async () => server.received.includes('STARTTLS'));
  await clock.advance(TALK_MS);
  t.strictSame(await asked, { kind: 'refused', reason: 'no answer within 10 s' });
});

t.test('a server that ends the handshake has failed it', async (t) => {
  const { asked } = await setUp(t, (line, socket) => {
    if (line === 'STARTTLS') setImmediate(() => socket.end());
    return answering('220 go\r\n')(line);
  });
  t.match(await asked, { kind: 'tls_failed' });
});

t.test('a greeting that never comes is refused, after one connection', async (t) => {
  const { server, clock, asked } = await setUp(t, () => '');
  await waitFor('the server is connected to', 10_000, async () => server.connections === 1);
  // The client may not have its connection yet, and its time begins with that.
  let isOver = false;
  const answer = asked.finally(() => {
    isOver = true;
  });
  await waitFor('the time is over', 10_000, async () => {
    await clock.advance(1_000);
    return isOver;
  });
  t.strictSame(await answer, { kind: 'refused', reason: 'no answer within 10 s' });
  t.equal(server.connections, 1);
  t.strictSame(server.received, []);
});

t.test('a server has the time again in which Picket was stalled', async (t) => {
  let socket: Socket | null = null;
  const { server, clock, asked } = await setUp(t, (line, from) => {
    socket = from;
    return line.startsWith('EHLO') ? '' : answering('')(line);
  });
  await waitFor('the server has the EHLO', 10_000, async () => server.received.length === 1);
  clock.stall(2 * TALK_MS);
  await clock.advance(0);
  (socket as Socket | null)?.write('250 mx.example.com\r\n');
  t.strictSame(await asked, { kind: 'not_offered' });
});

t.test('a tarpit whose greeting never ends is left after so many bytes, without any time passing', async (t) => {
  const { server, asked } = await setUp(t, () => '220-please wait\r\n'.repeat(600));
  t.strictSame(await asked, { kind: 'refused', reason: 'the server sends too much' });
  t.equal(server.connections, 1);
  t.strictSame(server.received, []);
});
