import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import type { MetricValue } from '../../../proto/generated/picket/link/v1/MetricValue.js';
import { SAMPLE_VALUES_MAX } from '../../../proto/limits.js';
import { inodesUsedPercent, usedPercent } from '../../../server-agent/collectors/file-system-size.js';
import { createLinuxCollector } from '../../../server-agent/collectors/linux.js';
import { parseCpuMax } from '../../../server-agent/collectors/parsers/control-group-files.js';
import { parseDiskstats } from '../../../server-agent/collectors/parsers/disk-counters.js';
import { parseMeminfo } from '../../../server-agent/collectors/parsers/meminfo.js';
import { parseMounts, realMounts } from '../../../server-agent/collectors/parsers/mounts.js';
import { parseNetDev } from '../../../server-agent/collectors/parsers/net-dev.js';
import { parsePasswd } from '../../../server-agent/collectors/parsers/passwd.js';
import { parsePressure } from '../../../server-agent/collectors/parsers/pressure.js';
import { parseProcessStat } from '../../../server-agent/collectors/parsers/process-stat.js';
import { defaultInterface, defaultInterface6 } from '../../../server-agent/collectors/parsers/routes.js';
import { parseEstablished } from '../../../server-agent/collectors/parsers/tcp-connections.js';
import { startStepCounter } from '../../helpers/count-steps.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

const INTERVAL_MS = 10_000;

const counter = startStepCounter();
t.teardown(() => counter.stop());

/** Returns a machine whose /proc and /sys are files in a temporary directory. `put` writes a file. */
function machine(t: Test, more: Record<string, string> = {}) {
  const root = temporaryFolder(t);
  const prepare = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  const put = (path: string, text: string) => writeFileSync(prepare(path), text);
  put('/proc/stat', 'cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 100 0 100 800 0 0 0 0 0 0\n');
  put('/proc/meminfo', 'MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 400 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n');
  put('/proc/loadavg', '0.50 0.25 0.10 1/100 4242\n');
  put('/proc/uptime', '5000.00 9000.00\n');
  put('/proc/diskstats', '');
  put('/proc/net/dev', 'Inter-| Receive\n face |bytes\n');
  put('/proc/net/snmp', 'Tcp: RtoAlgorithm CurrEstab InSegs\nTcp: 1 7 9\n');
  put('/proc/self/mountinfo', '22 1 254:0 / / rw - ext4 /dev/vda rw\n');
  for (const [path, text] of Object.entries(more)) put(path, text);
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const collector = createLinuxCollector({ root, intervalMs: INTERVAL_MS, clock: systemClock, logger });
  return {
    root,
    lines,
    put,
    link: (path: string, to: string) => symlinkSync(to, prepare(path)),
    folder: (path: string) => mkdirSync(join(root, path), { recursive: true }),
    remove: (path: string) => rmSync(join(root, path), { recursive: true }),
    collector,
    /** Returns the values by series. */
    async sample(atMs: number): Promise<Map<string, number>> {
      return bySeries(await collector.sample(() => atMs));
    },
  };
}

function bySeries(values: readonly MetricValue[]): Map<string, number> {
  return new Map(
    values.map(({ metric, device, value }) => [device ? `${metric}:${device}` : `${metric}`, Number(value)]),
  );
}

const netLine = (name: string, received: number, sent: number) =>
  `  ${name}: ${received} 1 0 0 0 0 0 0 ${sent} 1 0 0 0 0 0 0\n`;
const NET_HEAD = 'Inter-|   Receive\n face |bytes    packets\n';

t.test('parsers of kernel files', async (t) => {
  t.match(parseMeminfo('MemTotal: 100 kB\nMemFree: 10 kB\nBuffers: 5 kB\nCached: 20 kB\n'), {
    total: 102_400,
    available: 35 * 1024,
    swapTotal: 0,
  });
  t.equal(parseMeminfo('nothing'), null);
  t.equal(parsePressure('some avg10=1.25 avg60=0.00 avg300=0.00 total=9\nfull avg10=0.50\n'), 1.25);
  t.equal(parsePressure(''), null);
  t.equal(parseEstablished('Ip: a b\nIp: 1 2\nTcp: RtoAlgorithm CurrEstab\nTcp: 1 42\n'), 42);
  t.equal(parseEstablished('Udp: x\nUdp: 1\n'), null);
  t.equal(parseCpuMax('150000 100000\n'), 1.5);
  t.equal(parseCpuMax('max 100000\n'), null);
  t.strictSame(
    parseNetDev(`${NET_HEAD}    lo: 9 1 0 0 0 0 0 0 9 1\n${netLine('eth0', 10, 20)}veth12ab:1 0 0 0 0 0 0 0 2\n`),
    new Map([['eth0', { receivedBytes: 10, sentBytes: 20 }]]),
  );
  t.strictSame(
    parseDiskstats('   8 0 sda 5 0 16 1 7 0 32 1 0 1 1\n   7 0 loop0 5 0 16 1 7 0 32 1 0 1 1\n'),
    new Map([['sda', { readSectors: 16, writtenSectors: 32 }]]),
  );
  t.match(parseProcessStat('42 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 30 12 0 0 20 0 1 0 777 1000 25 0'), {
    name: 'a (b) c',
    cpuTicks: 42,
    startedTicks: 777,
    residentPages: 25,
  });
  t.equal(parseProcessStat('gone'), null);
  t.strictSame(
    parsePasswd('root:x:0:0::/:/bin/sh\n+::::\nwww:x:33:33::/:\ntoor:x:0:0::/:\n'),
    new Map([
      [0, 'root'],
      [33, 'www'],
    ]),
  );
  t.equal(
    defaultInterface(
      'Iface Destination Gateway\neth1\t00000000\t0102\t3\t0\t0\t200\t00000000\neth0\t00000000\t0102\t3\t0\t0\t100\t00000000\n',
    ),
    'eth0',
  );
  t.equal(defaultInterface('eth0\t0000000A\t0\t1\t0\t0\t0\t00FFFFFF'), null);
  t.equal(defaultInterface6(`${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 fe80 00000400 1 0 3 ens3\n`), 'ens3');
});

t.test(
  'file systems: the used share as in df, and inodes where the file system has a fixed number of them',
  async (t) => {
    const size = { sizeBytes: 1000, freeBytes: 300, availableBytes: 250, inodes: 200, inodesFree: 50 };
    t.equal(Math.round(usedPercent(size) ?? 0), 74, '700 of 950: the reserve for root is neither used nor available');
    t.equal(inodesUsedPercent(size), 75);
    t.equal(inodesUsedPercent({ ...size, inodes: 0, inodesFree: 0 }), null);
    t.equal(usedPercent({ ...size, sizeBytes: 0, freeBytes: 0, availableBytes: 0 }), null);
  },
);

t.test('mounts: only real file systems, each once with its shortest mount point', async (t) => {
  const info = `
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:5 / /dev rw - devtmpfs udev rw
24 22 0:21 / /run rw - tmpfs tmpfs rw
25 22 8:16 / /srv/data rw - xfs /dev/sdb rw
26 22 8:16 /a /data rw master:5 - xfs /dev/sdb rw
27 22 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro
28 22 0:60 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw
29 22 0:61 / /home/me/nfs rw - nfs4 server:/x rw
30 22 8:33 / /mnt/my\\040disk\\011x rw - vfat /dev/sdc1 rw
31 22 0:33 /@home /home rw - btrfs /dev/sdd rw
32 22 0:70 / /hidden rw - tmpfs tmpfs rw
33 22 8:49 / /hidden rw - ext4 /dev/sdd1 rw
`;
  t.strictSame(
    realMounts(parseMounts(info)).map(({ mount, source }) => [mount, source]),
    [
      ['/', '/dev/sda1'],
      ['/data', '/dev/sdb'],
      ['/hidden', '/dev/sdd1'],
      ['/home', '/dev/sdd'],
      ['/mnt/my disk\tx', '/dev/sdc1'],
    ],
  );
  const container = '700 1 0:50 / / rw - overlay overlay rw\n701 700 0:51 / /proc rw - proc proc rw\n';
  t.strictSame(
    realMounts(parseMounts(container)).map(({ mount }) => mount),
    ['/'],
    'the root of a container counts',
  );
});

t.test('the first sample has no rates, the second has', async (t) => {
  const { put, sample } = machine(t);
  const first = await sample(0);
  t.equal(first.get('MEM_USED_PERCENT'), 60);
  t.equal(first.get('MEM_USED_BYTES'), 614_400);
  t.equal(first.get('LOAD_5'), 0.25);
  t.equal(first.get('TCP_CONNECTIONS'), 7);
  t.equal(first.get('UPTIME_SECONDS'), 5000);
  t.notOk(first.has('CPU_PERCENT'));
  t.equal(first.get('SWAP_USED_PERCENT'), 0, 'without swap the use is 0');
  t.notOk(first.has('PRESSURE_CPU_PERCENT'), 'a kernel without pressure files');
  put('/proc/stat', 'cpu  150 0 100 850 0 0 0 0 0 0\ncpu0 150 0 100 850 0 0 0 0 0 0\n');
  const second = await sample(10_000);
  t.equal(second.get('CPU_PERCENT'), 50);
  t.equal(second.get('CPU_PERCENT:0'), 50);
  t.equal(second.get('CPU_IOWAIT_PERCENT'), 0);
});

t.test(
  'network: traffic of a bridge counts once, and an interface that appears or disappears causes no spike',
  async (t) => {
    const { put, folder, sample } = machine(t);
    for (const name of ['eth0', 'eth1']) folder(`/sys/class/net/${name}/device`);
    folder('/sys/class/net/br0/lower_eth0');
    folder('/sys/class/net/wg0');
    put('/proc/net/dev', NET_HEAD + netLine('eth0', 1_000, 500) + netLine('br0', 1_000, 500) + netLine('wg0', 1, 1));
    await sample(0);
    put(
      '/proc/net/dev',
      NET_HEAD + netLine('eth0', 11_000, 500) + netLine('br0', 11_000, 500) + netLine('eth1', 9e9, 9e9),
    );
    const second = await sample(10_000);
    t.equal(second.get('NET_BYTES_RECV_RATE'), 1_000, 'only eth0: the bridge is built on it, and eth1 is new');
    t.equal(second.get('NET_BYTES_RECV_RATE:br0'), 1_000);
    t.notOk(second.has('NET_BYTES_RECV_RATE:eth1'));
    t.notOk(second.has('NET_BYTES_RECV_RATE:wg0'));
    put('/proc/net/dev', NET_HEAD + netLine('eth1', 9e9 + 50_000, 9e9));
    const third = await sample(20_000);
    t.equal(third.get('NET_BYTES_RECV_RATE'), 5_000);
    t.equal(third.get('NET_BYTES_SENT_RATE'), 0);
  },
);

t.test('network without hardware, as in a container: the total is that of all base interfaces', async (t) => {
  const { put, folder, sample } = machine(t);
  folder('/sys/class/net/eth0');
  folder('/sys/class/net/docker0/lower_veth1');
  const at = (bytes: number) =>
    put(
      '/proc/net/dev',
      NET_HEAD + netLine('eth0', bytes, 0) + netLine('docker0', 2 * bytes, 0) + netLine('veth1', bytes, 0),
    );
  at(0);
  await sample(0);
  at(10_000);
  const values = await sample(10_000);
  t.equal(values.get('NET_BYTES_RECV_RATE'), 1_000);
  t.equal(values.get('NET_BYTES_RECV_RATE:docker0'), 2_000);
  t.notOk(values.has('NET_BYTES_RECV_RATE:veth1'));
});

t.test('disks: the total is that of the hardware; partitions and virtual devices do not count again', async (t) => {
  const { put, folder, sample } = machine(t);
  folder('/sys/block/sda/device');
  folder('/sys/block/dm-0');
  const at = (sectors: number) =>
    put(
      '/proc/diskstats',
      ['sda', 'sda1', 'dm-0'].map((name) => ` 8 0 ${name} 1 0 ${sectors} 0 1 0 ${2 * sectors} 0\n`).join(''),
    );
  at(100);
  await sample(0);
  at(300);
  const values = await sample(10_000);
  t.equal(values.get('DISK_READ_RATE'), 10_240, '200 sectors of 512 bytes in 10 s');
  t.equal(values.get('DISK_WRITE_RATE'), 20_480);
  t.equal(values.get('DISK_READ_RATE:dm-0'), 10_240);
  t.notOk(values.has('DISK_READ_RATE:sda1'));
});

t.test('a suspended machine: no rate over the gap, and correct rates after it', async (t) => {
  const { put, folder, sample } = machine(t);
  folder('/sys/class/net/eth0/device');
  put('/proc/net/dev', NET_HEAD + netLine('eth0', 0, 0));
  await sample(0);
  put('/proc/net/dev', NET_HEAD + netLine('eth0', 5_000_000_000, 0));
  put('/proc/stat', 'cpu  5100 0 100 850 0 0 0 0 0 0\n');
  const resumed = await sample(3_600_000);
  t.notOk(resumed.has('NET_BYTES_RECV_RATE'));
  t.notOk(resumed.has('CPU_PERCENT'));
  t.equal(resumed.get('LOAD_1'), 0.5);
  put('/proc/net/dev', NET_HEAD + netLine('eth0', 5_000_010_000, 0));
  t.equal((await sample(3_610_000)).get('NET_BYTES_RECV_RATE'), 1_000);
});

t.test('an agent that is stalled while it samples causes no spike', async (t) => {
  const group = '/sys/fs/cgroup';
  const { put, folder, collector, sample } = machine(t, { [`${group}/cpu.max`]: '50000 100000\n' });
  folder('/sys/class/net/eth0/device');
  folder('/sys/block/sda/device');
  /** Sets every counter to what it is after so many seconds of steady use. */
  const after = (seconds: number) => {
    put('/proc/net/dev', NET_HEAD + netLine('eth0', seconds * 1_000, 0));
    put('/proc/diskstats', ` 8 0 sda 1 0 ${seconds * 20} 0 1 0 0 0\n`);
    put(`${group}/cpu.stat`, `usage_usec ${seconds * 125_000}\n`);
  };
  const names = ['NET_BYTES_RECV_RATE', 'DISK_READ_RATE', 'CPU_PERCENT'];
  const ratesOf = (values: Map<string, number>) => names.map((name) => values.get(name) ?? null);
  const steady = [1_000, 10_240, 25];
  after(0);
  await sample(0);
  after(10);
  t.same(ratesOf(await sample(10_000)), steady);
  // The agent is stopped for 9 s just before or just after it reads the clock for the nth time.
  let atMs = 10_000;
  for (const isBefore of [true, false]) {
    for (let reads = 0; reads <= 6; reads += 1) {
      atMs += 10_000;
      after(atMs / 1_000);
      let calls = 0;
      const stopped = await collector.sample(() => {
        const earlierMs = atMs;
        if (calls === reads) {
          atMs += 9_000;
          after(atMs / 1_000);
        }
        calls += 1;
        return isBefore ? atMs : earlierMs;
      });
      atMs += 10_000;
      after(atMs / 1_000);
      const next = await sample(atMs);
      for (const values of [bySeries(stopped), next]) {
        for (const [index, rate] of ratesOf(values).entries()) {
          const when = `stopped ${isBefore ? 'before' : 'after'} reading the clock ${reads + 1} times`;
          t.ok(rate === null || rate === steady[index], `${when}: ${names[index]} is ${rate}`);
        }
      }
      atMs += 10_000;
      after(atMs / 1_000);
      t.same(ratesOf(await sample(atMs)), steady, 'the rates are back');
    }
  }
});

t.test('a container with limits: shares are relative to its limits, not to its host', async (t) => {
  const group = '/sys/fs/cgroup';
  const { put, collector, sample } = machine(t, {
    [`${group}/memory.max`]: '600000\n',
    [`${group}/memory.current`]: '500000\n',
    [`${group}/memory.stat`]: 'anon 100\ninactive_file 200000\nactive_file 5\n',
    [`${group}/memory.swap.max`]: '0\n',
    [`${group}/memory.swap.current`]: '0\n',
    [`${group}/cpu.max`]: '50000 100000\n',
    [`${group}/cpu.stat`]: 'usage_usec 1000000\nuser_usec 1\n',
    [`${group}/cpu.pressure`]: 'some avg10=33.00 avg60=0 avg300=0 total=1\n',
  });
  const first = await sample(0);
  t.equal(first.get('PRESSURE_CPU_PERCENT'), 33);
  t.equal(first.get('SWAP_USED_PERCENT'), 0, 'its swap limit is 0');
  put(`${group}/cpu.stat`, 'usage_usec 3500000\nuser_usec 1\n');
  put('/proc/stat', 'cpu  900 0 100 800 0 0 0 0 0 0\ncpu0 900 0 100 800 0 0 0 0 0 0\n');
  const values = await sample(10_000);
  t.equal(values.get('CPU_PERCENT'), 50, '2.5 s in 10 s, of half a core');
  t.notOk(values.has('CPU_PERCENT:0'), 'the cores are those of the host');
  t.equal(values.get('MEM_USED_BYTES'), 300_000, 'inactive page cache is available');
  t.equal(values.get('MEM_USED_PERCENT'), 50);
  t.match(await collector.parts(), { cpuCores: 1 });
});

t.test('values that cannot be read are left out and logged once, and the others are complete', async (t) => {
  const { put, remove, lines, sample } = machine(t);
  await sample(0);
  remove('/proc/net/snmp');
  remove('/proc/meminfo');
  put('/proc/loadavg', '');
  for (const at of [10_000, 20_000, 30_000]) {
    const values = await sample(at);
    for (const name of ['TCP_CONNECTIONS', 'MEM_USED_PERCENT', 'LOAD_1']) t.notOk(values.has(name), name);
    t.equal(values.get('UPTIME_SECONDS'), 5000);
  }
  t.strictSame(lines.sort(), [
    'cannot read /proc/meminfo, leaving out its values',
    'cannot read /proc/net/snmp, leaving out its values',
  ]);
  put('/proc/net/snmp', 'Tcp: CurrEstab\nTcp: 3\n');
  t.equal((await sample(40_000)).get('TCP_CONNECTIONS'), 3, 'the value is back as soon as the file can be read');
});

t.test(
  '10,000 devices of each kind: the sample is limited, the others are counted and logged in one line',
  async (t) => {
    const steps: number[] = [];
    for (const devices of [2_500, 10_000]) steps.push(await sampleMany(t, devices));
    const [few = 0, many = Number.NaN] = steps;
    t.ok(many < 8 * few, `${few} steps, then ${many} for four times as many devices`);
  },
);

/** Samples a machine with this many devices of each kind. Resolves to the steps of the last sample. */
async function sampleMany(t: Test, devices: number): Promise<number> {
  const { put, folder, lines, collector } = machine(t);
  folder('/sys/class/net/eth0/device');
  for (let at = 0; at < devices; at++) folder(`/sys/class/net/tap${at}`);
  const names = Array.from({ length: devices }, (_, at) => `tap${at}`);
  const cores = Array.from({ length: 512 }, (_, at) => `cpu${at} 1 0 1 1 0 0 0 0 0 0\n`).join('');
  let steps = 0;
  for (const [atMs, rise] of [
    [0, 0],
    [10_000, 10_000],
    [20_000, 20_000],
  ] as const) {
    put('/proc/net/dev', NET_HEAD + names.map((name) => netLine(name, rise, 0)).join('') + netLine('eth0', rise, 0));
    put('/proc/diskstats', names.map((_, at) => ` 9 0 md${at} 1 0 ${rise} 0 1 0 ${rise} 0\n`).join(''));
    put('/proc/stat', `cpu  1 0 1 ${1 + atMs} 0 0 0 0 0 0\n${cores.replaceAll(' 1 0 1 1 ', ` 1 0 1 ${1 + atMs} `)}`);
    let values: readonly MetricValue[] = [];
    steps = await counter.stepsOf(async () => {
      values = await collector.sample(() => atMs);
    });
    t.ok(values.length <= SAMPLE_VALUES_MAX, `${values.length} values`);
    if (atMs === 0) continue;
    const series = bySeries(values);
    t.equal(series.get('NET_BYTES_RECV_RATE'), 1_000, 'the total is that of the hardware');
    t.equal(series.get('NET_BYTES_RECV_RATE:eth0'), 1_000, 'hardware is never left out');
    t.ok(series.has('CPU_PERCENT') && series.has('LOAD_1'));
    t.equal(values.filter(({ metric, device }) => metric === 'NET_BYTES_RECV_RATE' && device !== '').length, 64);
  }
  t.equal((await collector.parts()).devicesLeftOut, devices + 1 - 64 + (512 - 256));
  t.equal(lines.length, 2, 'one line for each kind');
  return steps;
}
