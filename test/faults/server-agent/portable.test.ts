import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import type { MetricValue } from '../../../proto/generated/picket/link/v1/MetricValue.js';
import type { Collector } from '../../../server-agent/collectors/collector.js';
import { createLinuxCollector } from '../../../server-agent/collectors/linux.js';
import { createPortableCollector } from '../../../server-agent/collectors/portable/collector.js';
import { waitFor } from '../../helpers/wait.js';

const options = { intervalMs: 1_000, clock: systemClock, logger: pino({ level: 'silent' }) };

/** The second sample, after half a second of CPU time as the kernel counts it. */
async function secondSample(collector: Collector): Promise<Map<string, number>> {
  await collector.sample(() => performance.now());
  const before = ticks();
  await waitFor('fifty ticks of all cores', 5_000, () => ticks() >= before + 50, 10);
  const values: MetricValue[] = await collector.sample(() => performance.now());
  return new Map(values.map(({ metric, device, value }) => [`${metric}:${device}`, Number(value)]));
}

/** Hundredths of a second that all cores have spent on anything. */
function ticks(): number {
  const [, ...counts] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').trim().split(/\s+/);
  return counts.slice(0, 8).reduce((sum, count) => sum + Number(count), 0);
}

t.test('the portable collector measures the same values as the Linux collector', async (t) => {
  const collector = createPortableCollector(options);
  const [portable, linux] = await Promise.all([
    secondSample(collector),
    secondSample(createLinuxCollector({ ...options, root: '/' })),
  ]);
  for (const metric of [
    'CPU_PERCENT',
    'CPU_PERCENT:0',
    'MEM_USED_PERCENT',
    'DISK_USED_PERCENT',
    'DISK_USED_PERCENT:/',
    'PROCESSES',
    'TCP_CONNECTIONS',
    'UPTIME_SECONDS',
  ]) {
    const name = metric.includes(':') ? metric : `${metric}:`;
    t.type(portable.get(name), 'number', metric);
  }
  const near = (name: string, within: number) =>
    t.ok(
      Math.abs((portable.get(name) ?? 0) - (linux.get(name) ?? 1e9)) <= within,
      `${name}: ${portable.get(name)} and ${linux.get(name)}`,
    );
  near('DISK_USED_PERCENT:/', 1);
  near('MEM_USED_PERCENT:', 5);
  near('UPTIME_SECONDS:', 5);
  const parts = await collector.parts();
  t.ok(parts.disks.some(({ mount }) => mount === '/') && Number(parts.memoryBytes) > 1e8);
  const { byCpu = [], byMemory = [], total = 0 } = await collector.processes(() => 1_000);
  t.ok(byCpu.length > 0 && byCpu.length <= 10 && byMemory.length > 0 && total >= byCpu.length);
});
