import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { systemClock } from '../kernel/clock.js';
import { createTargetGuard } from '../kernel/guard/target-guard.js';
import { createLogger } from '../kernel/logger.js';
import { systemRandom } from '../kernel/random.js';
import { type Checker, type CheckRequest, createChecker } from '../probe/checks/check.js';
import { createIcmp } from '../probe/icmp/icmp.js';
import { createResolver } from '../probe/resolve.js';
import { round } from './fixtures/figures.js';
import { cpuSeconds } from './fixtures/processes.js';

/**
 * Measures the CPU-seconds per 1,000 checks of Picket's checker and of prometheus-blackbox-exporter, one after the other
 * with the same target process in the same run. Every check opens a new connection and times every phase. http and https
 * read the body and search for a keyword; https verifies the certificate chain and the host name. Prints one line of JSON
 * for each kind.
 */
type Kind = 'http' | 'https' | 'tcp' | 'ping';

const IN_FLIGHT = 16;
/**
 * The number of measured checks, and of warm-up checks before them: Node.js compiles code that runs often, and a probe
 * runs for weeks. The exporter is compiled ahead of time, so it needs fewer.
 */
const PLAN: Readonly<Record<Kind, { limit: number; warmUp: number; checks: number; blackboxChecks: number }>> = {
  http: { limit: 0.15, warmUp: 10_000, checks: 10_000, blackboxChecks: 3000 },
  https: { limit: 0.8, warmUp: 5000, checks: 4000, blackboxChecks: 2000 },
  tcp: { limit: 0.08, warmUp: 8000, checks: 10_000, blackboxChecks: 3000 },
  ping: { limit: 0.03, warmUp: 20_000, checks: 30_000, blackboxChecks: 3000 },
};
const BLACKBOX_WARM_UP = 500;
const BATCHES = 5;
const BLACKBOX = 'prometheus-blackbox-exporter';
const START_MS_MAX = 10_000;

interface Ports {
  http: number;
  https: number;
  tcp: number;
}

const children: ChildProcess[] = [];
const directory = mkdtempSync(join(tmpdir(), 'picket-bench-'));
try {
  await main();
} finally {
  for (const child of children) child.kill();
  rmSync(directory, { recursive: true, force: true });
}

async function main(): Promise<void> {
  makeCertificates();
  const ports = await startTargets();
  const blackbox = await startBlackbox();
  const log = createLogger({ name: 'bench', level: 'error' });
  const icmp = createIcmp({ clock: systemClock, random: systemRandom, log });
  const checker = createChecker({
    guard: createTargetGuard({ allowPrivate: true }),
    resolver: createResolver({
      clock: systemClock,
      servers: null,
      hostsPath: '/etc/hosts',
      resolvConfPath: '/etc/resolv.conf',
    }),
    clock: systemClock,
    icmp,
    log,
    userAgent: 'Picket/bench',
    extraCaPem: readFileSync(join(directory, 'ca.pem'), 'utf8'),
  });
  const agent = new Agent({ connections: IN_FLIGHT, pipelining: 1 });
  for (const kind of ['http', 'https', 'tcp', 'ping'] as const) {
    const ours = await measureOurs(checker, kind, ports);
    const theirs = await measureBlackbox(agent, blackbox, kind, ports);
    printFigures(kind, ours, theirs);
  }
  await agent.close();
  icmp.close();
}

interface Measured {
  cpuSecondsPer1000: number;
  perSecond: number;
}

function printFigures(kind: Kind, ours: Measured, theirs: Measured): void {
  const { limit } = PLAN[kind];
  console.log(
    JSON.stringify({
      name: `probe: CPU-seconds per 1,000 ${kind} checks`,
      kind,
      cpu_seconds_per_1000: round(ours.cpuSecondsPer1000),
      limit,
      compared_to: BLACKBOX,
      blackbox_cpu_seconds_per_1000: round(theirs.cpuSecondsPer1000),
      checks_per_second: Math.round(ours.perSecond),
      blackbox_checks_per_second: Math.round(theirs.perSecond),
      in_flight: IN_FLIGHT,
      figures_of: `the lowest of ${BATCHES} batches, for both`,
      ok: ours.cpuSecondsPer1000 <= limit && ours.cpuSecondsPer1000 < theirs.cpuSecondsPer1000,
      note: 'the figure of blackbox includes its HTTP interface, which triggers its checks; ours includes the loop of this benchmark',
    }),
  );
}

function targetOf(kind: Kind, ports: Ports): string {
  if (kind === 'ping') return '127.0.0.1';
  return kind === 'tcp' ? `localhost:${ports.tcp}` : `${kind}://localhost:${ports[kind]}/`;
}

function requestOf(kind: Kind, ports: Ports): CheckRequest {
  const url = targetOf(kind, ports);
  if (kind === 'tcp' || kind === 'ping') return { type: kind, url, timeoutMs: 10_000, http: null };
  const http = { method: 'GET', expectedStatus: 200, followRedirects: true, ignoreTlsErrors: false, headers: {} };
  return { type: 'http', url, timeoutMs: 10_000, http: { ...http, keyword: 'KEYWORD-OK' } };
}

async function measureOurs(checker: Checker, kind: Kind, ports: Ports): Promise<Measured> {
  const request = requestOf(kind, ports);
  const signals = Array.from({ length: IN_FLIGHT }, () => new AbortController().signal);
  const check = async (worker: number) => {
    const outcome = await checker.run(request, signals[worker] ?? AbortSignal.abort());
    if (!outcome.up) throw new Error(`${kind}: ${outcome.error?.message}`);
  };
  const { checks, warmUp } = PLAN[kind];
  await inParallel(warmUp, check);
  const cpuOfThisProcess = async () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  return lowestBatch(checks, check, cpuOfThisProcess);
}

async function measureBlackbox(
  agent: Agent,
  blackbox: { port: number; pid: number },
  kind: Kind,
  ports: Ports,
): Promise<Measured> {
  const path = `/probe?module=${kind}&target=${encodeURIComponent(targetOf(kind, ports))}`;
  const probe = async () => {
    const response = await agent.request({ origin: `http://127.0.0.1:${blackbox.port}`, path, method: 'GET' });
    const text = await response.body.text();
    if (!text.includes('\nprobe_success 1')) throw new Error(`blackbox ${kind} failed: ${text.slice(0, 500)}`);
  };
  await inParallel(BLACKBOX_WARM_UP, probe);
  return lowestBatch(PLAN[kind].blackboxChecks, probe, () => cpuSeconds(blackbox.pid));
}

/** Returns the cheapest batch: other load on the machine only makes checks more expensive, so it was disturbed least. */
async function lowestBatch(
  checks: number,
  check: (worker: number) => Promise<void>,
  cpu: () => Promise<number>,
): Promise<Measured> {
  const count = Math.floor(checks / BATCHES);
  let lowest: Measured = { cpuSecondsPer1000: Number.POSITIVE_INFINITY, perSecond: 0 };
  for (let batch = 0; batch < BATCHES; batch++) {
    const cpuBefore = await cpu();
    const before = performance.now();
    await inParallel(count, check);
    const perSecond = (count * 1000) / (performance.now() - before);
    const cpuSecondsPer1000 = (((await cpu()) - cpuBefore) * 1000) / count;
    if (cpuSecondsPer1000 < lowest.cpuSecondsPer1000) lowest = { cpuSecondsPer1000, perSecond };
  }
  return lowest;
}

async function inParallel(count: number, run: (worker: number) => Promise<void>): Promise<void> {
  let left = count;
  const runWorker = async (worker: number) => {
    while (left-- > 0) await run(worker);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, worker) => runWorker(worker)));
}

/** Creates a test authority and its certificate for localhost, both ECDSA P-256. */
function makeCertificates(): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=Picket bench');
  openssl('req', ...key, '-keyout', 'target.key', '-out', 'target.csr', '-subj', '/CN=localhost');
  writeFileSync(join(directory, 'names'), 'subjectAltName=DNS:localhost\n');
  openssl(
    'x509',
    '-req',
    '-in',
    'target.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'target.pem',
    '-days',
    '90',
    '-extfile',
    'names',
  );
}

async function startTargets(): Promise<Ports> {
  // Starts the same kind of file as this one, compiled or not.
  const script = fileURLToPath(new URL(`./fixtures/probe-targets${extname(import.meta.url)}`, import.meta.url));
  const files = [join(directory, 'target.key'), join(directory, 'target.pem')];
  const child = spawn(process.execPath, [...process.execArgv, script, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('the target process ended')));
    child.stdout.once('data', (line: Buffer) => {
      const ports: Ports = JSON.parse(line.toString());
      resolve(ports);
    });
  });
}

async function startBlackbox(): Promise<{ port: number; pid: number }> {
  const ip = 'preferred_ip_protocol: ip4';
  const http = `fail_if_body_not_matches_regexp: [KEYWORD-OK], ${ip}`;
  const config = join(directory, 'blackbox.yml');
  writeFileSync(
    config,
    `modules:
  http: {prober: http, http: {${http}}}
  https: {prober: http, http: {${http}, fail_if_not_ssl: true, tls_config: {ca_file: ${join(directory, 'ca.pem')}}}}
  tcp: {prober: tcp, tcp: {${ip}}}
  ping: {prober: icmp, icmp: {${ip}}}
`,
  );
  const port = await freePort();
  const child = spawn(
    BLACKBOX,
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  children.push(child);
  const started = performance.now();
  while (performance.now() - started < START_MS_MAX) {
    const response = await fetch(`http://127.0.0.1:${port}/-/healthy`).catch(() => null);
    if (response?.ok && child.pid !== undefined) return { port, pid: child.pid };
    await systemClock.sleep(50);
  }
  throw new Error(`${BLACKBOX} did not start`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
