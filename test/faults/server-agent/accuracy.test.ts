import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { cpus, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import type { Collector } from '../../../server-agent/collectors/collector.js';
import { createLinuxCollector } from '../../../server-agent/collectors/linux.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { waitFor } from '../../helpers/wait.js';

/** The highest difference from the programs of the system. */
const WITHIN = 0.02;
/** Other processes disturb single measurements, so each has several attempts. */
const TRIES_MAX = 10;
const INTERVAL_MS = 10_000;
/** The clock ticks of the kernel (10 ms) that make a difference of two percent measurable. */
const TICKS = 200;
const FILE_BYTES = 512 * 1024 * 1024;

const collectorOf = (): Collector =>
  createLinuxCollector({
    root: '/',
    intervalMs: INTERVAL_MS,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });

async function sample(collector: Collector): Promise<Map<string, number>> {
  const values = await collector.sample(() => performance.now());
  return new Map(
    values.map(({ metric, device, value }) => [device ? `${metric}:${device}` : `${metric}`, Number(value)]),
  );
}

const near = (a: number, b: number, of = b): boolean => Math.abs(a - b) <= WITHIN * Math.abs(of);

/** Repeats `measure` until both figures agree. A failure has the last figures. */
async function agrees(t: Test, what: string, measure: () => Promise<{ ours: number; theirs: number; of?: number }>) {
  let last = { ours: Number.NaN, theirs: Number.NaN };
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const measured = await measure();
    last = measured;
    if (near(measured.ours, measured.theirs, measured.of))
      return t.pass(`${what}: ${measured.ours} and ${measured.theirs}`);
  }
  return t.fail(`${what}: ours ${last.ours}, theirs ${last.theirs}`);
}

const command = (name: string, ...args: string[]) =>
  execFileSync(name, args, { encoding: 'utf8', env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
const field = (text: string, row: RegExp, column: number): number =>
  Number(
    text
      .split('\n')
      .find((line) => row.test(line))
      ?.trim()
      .split(/\s+/)[column],
  );

const FAR = '198.51.100.2';
const NEAR = '198.51.100.1';
const inOwnNetwork = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === NEAR));

if (inOwnNetwork) inNetwork();
else onMachine();

function onMachine(): void {
  t.test('memory agrees with `free`', async (t) => {
    const collector = collectorOf();
    await agrees(t, 'used memory', async () => {
      const text = command('free', '--bytes', '--wide');
      const ours = (await sample(collector)).get('MEM_USED_BYTES') ?? Number.NaN;
      // The total minus the available memory, because versions define used memory differently.
      return { ours, theirs: field(text, /^Mem:/, 1) - field(text, /^Mem:/, 7) };
    });
    await agrees(t, 'used memory, percent', async () => {
      const text = command('free', '--bytes', '--wide');
      const ours = (await sample(collector)).get('MEM_USED_PERCENT') ?? Number.NaN;
      const total = field(text, /^Mem:/, 1);
      return { ours, theirs: (100 * (total - field(text, /^Mem:/, 7))) / total };
    });
    const { memoryBytes } = await collector.parts();
    t.equal(memoryBytes, field(command('free', '--bytes'), /^Mem:/, 1));
  });

  t.test('file systems agree with `df` and with a file of known size', async (t) => {
    const collector = collectorOf();
    const { disks } = await collector.parts();
    for (const { mount = '' } of disks) {
      const df = () => command('df', '--block-size=1', '--output=used,avail,iused,iavail,target', mount);
      const row = new RegExp(` ${mount}$`);
      await agrees(t, `used part of ${mount}`, async () => {
        const [used, available] = [field(df(), row, 0), field(df(), row, 1)];
        const ours = (await sample(collector)).get(`DISK_USED_PERCENT:${mount}`) ?? Number.NaN;
        return { ours, theirs: (100 * used) / (used + available) };
      });
      await agrees(t, `used inodes of ${mount}`, async () => {
        const [used, free] = [field(df(), row, 2), field(df(), row, 3)];
        const ours = (await sample(collector)).get(`DISK_INODES_USED_PERCENT:${mount}`) ?? Number.NaN;
        return used + free === 0 ? { ours: 0, theirs: 0 } : { ours, theirs: (100 * used) / (used + free) };
      });
    }
    const fullest = Math.max(...disks.map(({ usedBytes, availableBytes }) => percent(usedBytes, availableBytes)));
    t.ok(
      near((await sample(collector)).get('DISK_USED_PERCENT') ?? Number.NaN, fullest),
      'the value of the server is that of the fullest file system',
    );

    const folder = temporaryFolder(t);
    const mount = command('df', '--output=target', folder).trim().split('\n').at(-1);
    const usedBytes = async () =>
      Number((await collector.parts()).disks.find((disk) => disk.mount === mount)?.usedBytes ?? Number.NaN);
    await agrees(t, 'a file of known size', async () => {
      const before = await usedBytes();
      const path = join(folder, 'known');
      write(path, FILE_BYTES);
      const ours = (await usedBytes()) - before;
      rmSync(path);
      return { ours, theirs: FILE_BYTES };
    });
  });

  t.test('CPU agrees with a busy core and with /proc/stat', async (t) => {
    const core = cpus().length - 1;
    const busy = spawn('taskset', ['--cpu-list', String(core), process.execPath, '-e', 'for (;;) {}'], {
      stdio: 'ignore',
    });
    t.teardown(() => busy.kill('SIGKILL'));
    await agrees(t, 'the core', async () => {
      const collector = collectorOf();
      await sample(collector);
      await ticked(TICKS * cpus().length);
      return { ours: (await sample(collector)).get(`CPU_PERCENT:${core}`) ?? Number.NaN, theirs: 100 };
    });
    await agrees(t, 'all cores', async () => {
      const collector = collectorOf();
      await sample(collector);
      const before = allTicks();
      await ticked(2 * TICKS * cpus().length);
      const after = allTicks();
      const ours = (await sample(collector)).get('CPU_PERCENT') ?? Number.NaN;
      return { ours, theirs: 100 - (100 * (after.idle - before.idle)) / (after.total - before.total), of: 100 };
    });
    const { byCpu = [] } = await collectorOf().processes(() => Date.now());
    const found = byCpu.find(({ pid }) => pid === busy.pid);
    t.ok(found !== undefined && Number(found.cpuPercent) > 10, 'it is among the busiest processes');
    t.equal(found?.name, 'node');
    t.equal(found?.user, command('id', '--user', '--name').trim());
    const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${busy.pid}/status`, 'utf8'))?.[1]) * 1024;
    t.ok(near(Number(found?.memoryBytes), resident), 'its memory');
    const started = Date.now() - Number(found?.startedAtMs);
    t.ok(started > 0 && started < 120_000, 'its start');
  });

  t.test('load, uptime and processes agree with /proc', async (t) => {
    const collector = collectorOf();
    await agrees(t, 'load', async () => {
      const theirs = Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]);
      return { ours: (await sample(collector)).get('LOAD_1') ?? Number.NaN, theirs };
    });
    const uptime = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'));
    t.ok(Math.abs(((await sample(collector)).get('UPTIME_SECONDS') ?? 0) - uptime) <= 1);
    const count = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;
    const sleepers = Array.from({ length: 20 }, () => spawn('sleep', ['60'], { stdio: 'ignore' }));
    t.teardown(() => {
      for (const child of sleepers) child.kill('SIGKILL');
    });
    // Repeated, because only the first time counts the processes one by one.
    for (let times = 0; times < 3; times++) {
      await agrees(t, 'processes', async () => ({
        ours: (await sample(collector)).get('PROCESSES') ?? 0,
        theirs: count(),
      }));
      const sleeper = sleepers.pop();
      const gone = new Promise((resolve) => sleeper?.once('exit', resolve));
      sleeper?.kill('SIGKILL');
      await gone;
    }
  });

  t.test('traffic and connections in a separate network', async (t) => {
    const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
    const script = `
      ip link set lo up
      ip link add wire0 type veth peer name wire1 && ip addr add ${NEAR}/30 dev wire0 && ip link set wire0 up
      ip link set wire1 up && ip neigh add ${FAR} lladdr 02:00:00:00:00:02 dev wire0
      exec "$0" "$@"`;
    const node = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)];
    await t.spawn('unshare', [...asUser, '--net', 'sh', '-c', script, ...node], {}, 'in a separate network');
  });
}

/** There is no other traffic, so that every byte is known. The packets go to an address without a machine. */
function inNetwork(): void {
  t.test('traffic of 20,000 packets of known size, and ten ends of connections', async (t) => {
    const collector = collectorOf();
    await sample(collector);
    const started = performance.now();
    const socket = createSocket('udp4');
    // The headers of Ethernet, IP and UDP have 14, 20 and 8 bytes.
    const [packets, payload, headers] = [20_000, 1_400, 42];
    for (let sent = 0; sent < packets; sent++) {
      await new Promise<void>((resolve, reject) =>
        socket.send(Buffer.alloc(payload), 9, FAR, (error) => (error === null ? resolve() : reject(error))),
      );
    }
    socket.close();
    // Too soon after the first sample there are no rates.
    const { values, seconds } = await waitFor(
      'rates',
      INTERVAL_MS,
      async () => {
        const sampled = { seconds: (performance.now() - started) / 1000, values: await sample(collector) };
        return sampled.values.has('NET_BYTES_SENT_RATE:wire0') && sampled;
      },
      50,
    );
    const sent = (values.get('NET_BYTES_SENT_RATE:wire0') ?? Number.NaN) * seconds;
    t.ok(near(sent, packets * (payload + headers)), `${sent} bytes sent, ${packets * (payload + headers)} known`);
    const received = (values.get('NET_BYTES_RECV_RATE:wire1') ?? Number.NaN) * seconds;
    t.ok(near(received, packets * (payload + headers)), `${received} bytes at the other end`);
    t.notOk(values.has('NET_BYTES_SENT_RATE:lo'));

    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    t.equal((await sample(collector)).get('TCP_CONNECTIONS'), 0);
    const clients: Socket[] = [];
    for (let at = 0; at < 5; at++) {
      const client = connect(port, '127.0.0.1');
      await new Promise((resolve) => client.once('connect', resolve));
      clients.push(client);
    }
    t.equal((await sample(collector)).get('TCP_CONNECTIONS'), 10, 'both ends of five');
    for (const client of clients) client.destroy();
    server.close();
  });
}

function percent(used: unknown, available: unknown): number {
  return (100 * Number(used)) / (Number(used) + Number(available));
}

function write(path: string, bytes: number): void {
  const fd = openSync(path, 'w');
  const piece = Buffer.alloc(8 * 1024 * 1024, 1);
  for (let written = 0; written < bytes; written += piece.length) writeSync(fd, piece);
  fsyncSync(fd);
  closeSync(fd);
}

/** Waits until all cores together have counted this number of ticks. */
async function ticked(ticks: number): Promise<void> {
  const before = allTicks().total;
  await waitFor(`${ticks} ticks`, 60_000, () => allTicks().total >= before + ticks, 20);
}

/** Returns the ticks of all cores that were idle or waited for a disk, and all ticks. */
function allTicks(): { idle: number; total: number } {
  const numbers = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).slice(1, 9).map(Number);
  return { idle: (numbers[3] ?? 0) + (numbers[4] ?? 0), total: numbers.reduce((sum, number) => sum + number, 0) };
}
