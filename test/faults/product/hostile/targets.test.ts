import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { checkNew, createRareMonitor, firstResult, RESULT_AFTER_TIMEOUT_MS } from '../../../helpers/probe/check-now.js';
import {
  type Answering,
  answering,
  HOSTILE,
  pouring,
  startFullServer,
  startTarget,
} from '../../../helpers/probe/targets.js';
import { type CertificateOptions, createAuthority, startTlsTarget } from '../../../helpers/probe/targets-tls.js';
import { peakMemory } from '../../../helpers/processes/peak-memory.js';
import { startProduct } from '../../../helpers/processes/product.js';
import { waitFor } from '../../../helpers/wait.js';

/** The longest time from the timeout of a check to its end. */
const END_MS_MAX = 1_000;
/** The highest growth of the probe while it runs `AT_ONCE` checks of each kind. */
const GROWTH_MIB_MAX = 200;
const AT_ONCE = 10;
const MIB = 1024 * 1024;
const KEYWORD = { keyword: 'not there' };

const folder = await mkdtemp(join(tmpdir(), 'picket-hostile-'));
const authority = await createAuthority();
const authorityFile = join(folder, 'authority.pem');
await writeFile(authorityFile, authority.pem);
const product = await startProduct({ PICKET_LOCATIONS: 'fra', PICKET_EXTRA_CA: authorityFile });
t.teardown(async () => {
  await product.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Repeated pieces of 64 KiB that decompress to 64 MiB. */
const bombPiece = gzipSync(Buffer.alloc(64 * MIB));
const gzipBomb = pouring('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n', () => bombPiece);

/** Endless slow headers. */
const drippingHeaders: Answering = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket.write('x-filler: x\r\n'), 50);
  socket.on('close', () => clearInterval(timer));
};

/** Each hop is fast enough, but all of them together are too slow. */
const slowLoop: Answering = (socket, request) => {
  setTimeout(() => HOSTILE.redirectLoop(socket, request), 300);
};

interface Expected {
  /** The error code of the result. null: the target is up. */
  code: string | null;
  timeoutMs: number;
}

/** Creates a monitor and compares the result of its first check with the expected one. */
async function expectCheck(t: Test, what: string, settings: object, { code, timeoutMs }: Expected): Promise<void> {
  const startedMs = performance.now();
  const { result } = await checkNew(product, { timeout_ms: timeoutMs, ...settings }, timeoutMs + 10_000);
  const tookMs = performance.now() - startedMs;
  t.equal(result.error?.code ?? null, code, `${what}: ${result.error?.message ?? 'up'}`);
  const timedOut = code === 'response_timeout' || code === 'connect_timeout';
  if (timedOut) t.ok(result.response_time_ms >= timeoutMs - 1, `${what}: it ran until the timeout`);
  t.ok(result.response_time_ms <= timeoutMs + END_MS_MAX, `${what}: ended after ${result.response_time_ms} ms`);
  t.ok(tookMs <= timeoutMs + RESULT_AFTER_TIMEOUT_MS, `${what}: visible after ${Math.round(tookMs)} ms`);
}

t.test('the memory of the probe is bounded while it checks many hostile targets at once', async (t) => {
  const timeoutMs = 20_000;
  const answers = [gzipBomb, HOSTILE.endlessBody, HOSTILE.endlessHeaders];
  const targets = await Promise.all(answers.map((answer) => startTarget(answer)));
  t.teardown(() => Promise.all(targets.map((target) => target.close())));
  const urls = targets.flatMap(({ url }) => Array.from({ length: AT_ONCE }, () => `${url}/`));
  const memory = peakMemory(await product.pid('probe-fra'));
  await memory.resetPeak();
  const before = await memory.now();
  const ids = await Promise.all(
    urls.map((url) => createRareMonitor(product, { url, http: KEYWORD, timeout_ms: timeoutMs })),
  );
  const busy = () => targets.some((target) => target.connections() < AT_ONCE || target.open() > 0);
  await waitFor('all checks to end', timeoutMs + END_MS_MAX, () => !busy());
  for (const id of ids) {
    const { error } = await firstResult(product, id, timeoutMs + RESULT_AFTER_TIMEOUT_MS);
    t.equal(error?.code, 'response_too_large', String(error?.message));
  }
  const grownMib = (await memory.peak()) - before;
  t.ok(grownMib < GROWTH_MIB_MAX, `grew by ${Math.round(grownMib)} MiB from ${Math.round(before)} MiB`);
});

t.test('a check of any hostile target ends in time with its error code and leaves no connection', async (t) => {
  const cases: [string, Answering, object, Expected][] = [
    ['endless headers', HOSTILE.endlessHeaders, {}, { code: 'response_too_large', timeoutMs: 3_000 }],
    ['an endless header', HOSTILE.endlessLine, {}, { code: 'response_too_large', timeoutMs: 3_000 }],
    ['endless interim responses', HOSTILE.endlessContinue, {}, { code: 'response_too_large', timeoutMs: 3_000 }],
    ['an endless body', HOSTILE.endlessBody, KEYWORD, { code: 'response_too_large', timeoutMs: 3_000 }],
    ['an endless body without a keyword', HOSTILE.endlessBody, {}, { code: null, timeoutMs: 3_000 }],
    // A megabyte in chunks of one byte takes long to read.
    ['endless chunks', HOSTILE.endlessChunks, KEYWORD, { code: 'response_too_large', timeoutMs: 10_000 }],
    ['a gzip bomb', gzipBomb, KEYWORD, { code: 'response_too_large', timeoutMs: 5_000 }],
    ['a redirect loop', HOSTILE.redirectLoop, {}, { code: 'too_many_redirects', timeoutMs: 3_000 }],
    ['no response', HOSTILE.silent, {}, { code: 'response_timeout', timeoutMs: 1_000 }],
    ['slow headers', drippingHeaders, {}, { code: 'response_timeout', timeoutMs: 1_000 }],
    ['a slow redirect loop', slowLoop, {}, { code: 'response_timeout', timeoutMs: 1_000 }],
    ['a slow body', HOSTILE.dripping, {}, { code: 'response_timeout', timeoutMs: 1_000 }],
    [
      'a connection that closes before the response',
      HOSTILE.closing,
      {},
      { code: 'connection_reset', timeoutMs: 3_000 },
    ],
    [
      'a connection that closes within the response',
      HOSTILE.halfBody,
      KEYWORD,
      { code: 'connection_reset', timeoutMs: 3_000 },
    ],
  ];
  for (const [what, answer, http, expected] of cases) {
    const target = await startTarget(answer);
    await expectCheck(t, what, { url: `${target.url}/`, http }, expected);
    t.ok(target.connections() > 0, `${what}: there was a connection`);
    await waitFor(`${what}: the end of the connection`, END_MS_MAX, () => target.open() === 0, 20);
    await target.close();
  }
});

t.test('a target without a connection, a handshake or a listener', async (t) => {
  const full = await startFullServer();
  t.teardown(() => full.close());
  const mute = await startTarget(HOSTILE.silent);
  t.teardown(() => mute.close());
  const gone = await startTarget(HOSTILE.silent);
  await gone.close();
  const cases: [string, string, Expected][] = [
    ['no connection', `http://127.0.0.1:${full.full}/`, { code: 'connect_timeout', timeoutMs: 1_000 }],
    ['no handshake', `https://127.0.0.1:${mute.port}/`, { code: 'tls_handshake', timeoutMs: 1_000 }],
    ['no listener', `${gone.url}/`, { code: 'connection_refused', timeoutMs: 3_000 }],
  ];
  for (const [what, url, expected] of cases) await expectCheck(t, what, { url }, expected);
});

t.test('an invalid certificate fails the check with its own error code', async (t) => {
  const cases: [string, CertificateOptions, string | null][] = [
    ['in order', {}, null],
    ['expired', { notAfterDays: -3 }, 'tls_expired'],
    ['not yet valid', { notBeforeDays: 2 }, 'tls_expired'],
    ['for another name', { names: ['other.example'] }, 'tls_name_mismatch'],
    ['self-signed', { selfSigned: true }, 'tls_untrusted'],
  ];
  for (const [what, certificate, code] of cases) {
    const target = await startTlsTarget(await authority.issue(certificate), answering('secure'));
    await expectCheck(t, what, { url: `https://localhost:${target.port}/` }, { code, timeoutMs: 3_000 });
    if (code !== null) t.same(target.requests, [], `${what}: no request was sent`);
    await target.close();
  }
  const unknown = await createAuthority();
  const target = await startTlsTarget(await unknown.issue(), answering('secure'));
  const untrusted = { code: 'tls_untrusted', timeoutMs: 3_000 };
  await expectCheck(t, 'of an unknown authority', { url: `https://localhost:${target.port}/` }, untrusted);
  await target.close();
});
