// Many agents in one process: each with a connection and a stream of its own, reporting each ten seconds at its own
// moment. Takes join tokens on stdin, one a line; prints `ready`, and its counts as JSON whenever it is sent a line.
//   node --import tsx bench/agent-fleet.ts
import { createInterface } from 'node:readline';
import { Metadata } from '@grpc/grpc-js';
import type { MetricReport } from '../proto/generated/picket/link/v1/MetricReport.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import { loadMetricReportCodec } from '../proto/load.js';
import { enrolNode, type FakeNode, openClient } from '../test/helpers/fake-node.js';
import { percentile } from './figures.js';

const INTERVAL_MS = 10_000;
const PING_MS = 10_000;
const ENROL_AT_ONCE = 8;

const codec = loadMetricReportCodec();
const latencies: number[] = [];
let stopped = false;
const counts = { sent: 0, acknowledged: 0, refused: 0, ended: 0 };

/** What a small server reports: the whole server's metrics, two disks, two interfaces, four cores. */
function sample(atMs: number): MetricReport {
  const value = (metric: string, amount: number, device = '') => ({
    metric: metric as 'CPU_PERCENT',
    device,
    value: amount,
  });
  const percent = () => Math.random() * 100;
  const rate = () => Math.floor(Math.random() * 1e7);
  const whole = [
    'CPU_PERCENT',
    'MEM_USED_PERCENT',
    'DISK_USED_PERCENT',
    'LOAD_1',
    'LOAD_5',
    'LOAD_15',
    'SWAP_USED_PERCENT',
  ];
  const rates = ['NET_BYTES_RECV_RATE', 'NET_BYTES_SENT_RATE', 'DISK_READ_RATE', 'DISK_WRITE_RATE'];
  const totals = ['MEM_USED_BYTES', 'PROCESSES', 'TCP_CONNECTIONS', 'UPTIME_SECONDS'];
  return {
    atMs,
    values: [
      ...whole.map((metric) => value(metric, percent())),
      ...[...rates, ...totals].map((metric) => value(metric, rate())),
      ...['PRESSURE_CPU_PERCENT', 'PRESSURE_MEMORY_PERCENT', 'PRESSURE_IO_PERCENT'].map((metric) =>
        value(metric, percent()),
      ),
      ...['0', '1', '2', '3'].map((core) => value('CPU_PERCENT', percent(), core)),
      ...['/', '/var'].flatMap((mount) => [
        value('DISK_USED_PERCENT', percent(), mount),
        value('DISK_INODES_USED_PERCENT', percent(), mount),
      ]),
      ...['eth0', 'eth1'].flatMap((name) => [
        value('NET_BYTES_RECV_RATE', rate(), name),
        value('NET_BYTES_SENT_RATE', rate(), name),
      ]),
      ...['sda', 'sdb'].flatMap((name) => [
        value('DISK_READ_RATE', rate(), name),
        value('DISK_WRITE_RATE', rate(), name),
      ]),
    ],
  };
}

/** Resolves once welcomed. */
async function run(node: FakeNode): Promise<void> {
  const client = await openClient(node.address, node.fingerprint);
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${node.credential}`);
  metadata.set('picket-instance', node.id);
  const call = client.connect(metadata);
  const sentAt = new Map<number, number>();
  let seq = 0;
  const timers: NodeJS.Timeout[] = [];
  await new Promise<void>((resolve, reject) => {
    call.on('data', (message: ToNode__Output) => {
      if (message.welcome) resolve();
      if (!message.ack) return;
      counts.refused += message.ack.rejections.length;
      for (const [sent, at] of sentAt) {
        if (sent > message.ack.upToSeq) break;
        sentAt.delete(sent);
        latencies.push(performance.now() - at);
        counts.acknowledged++;
      }
    });
    call.on('error', () => undefined); // `status` says the same.
    call.on('status', ({ details }) => {
      counts.ended++;
      for (const timer of timers) clearInterval(timer);
      reject(new Error(details));
    });
    call.write({ hello: { version: '1.2.3', protocol: 1, assignmentsRevision: 0 } });
  });
  const report = () => {
    if (stopped) return;
    seq++;
    counts.sent++;
    sentAt.set(seq, performance.now());
    call.write({ batch: { firstSeq: seq, records: [codec.encode(sample(Date.now()))], droppedTotal: 0 } });
  };
  setTimeout(() => {
    report();
    timers.push(
      setInterval(report, INTERVAL_MS),
      setInterval(() => call.write({ ping: { nonce: 1 } }), PING_MS),
    );
  }, Math.random() * INTERVAL_MS);
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const tokens: string[] = [];
for (let line = await lines.next(); line.done !== true && line.value !== ''; line = await lines.next())
  tokens.push(line.value);
await Promise.all(
  Array.from({ length: ENROL_AT_ONCE }, async () => {
    for (let token = tokens.pop(); token !== undefined; token = tokens.pop()) await run(await enrolNode(token));
  }),
);
console.log('ready');
for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
  if (line.value === 'reset') latencies.length = 0;
  if (line.value === 'stop') stopped = true;
  const figures = {
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    samples: latencies.length,
  };
  console.log(JSON.stringify({ ...counts, ...figures }));
}
process.exit(0);
