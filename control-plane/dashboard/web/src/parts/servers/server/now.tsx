import type { ReactNode } from 'react';
import type { Server, ServerDisk } from '../../../api/types.ts';
import { Meter } from '../meter.tsx';
import { texts } from '../texts/texts.ts';
import { bytes, load } from '../units.ts';
import { diskWith, usedOf } from './disk-space.ts';

interface NowProps {
  server: Server;
  /** None while they are not known. */
  disks: readonly ServerDisk[];
}

/** The values of the latest sample. */
export function Now({ server: { metrics, inventory, status }, disks }: NowProps) {
  if (metrics === null) return null;
  const words = texts.now;
  const meter = (label: string, percent: number | null) => (
    <Meter label={label} percent={percent} isOld={status !== 'online'} />
  );
  const memory = inventory?.memory_bytes ?? null;
  const disk = diskWith(disks, metrics.disk_used_percent);
  const figures: { label: string; value: ReactNode; help: string }[] = [
    {
      label: words.cpu,
      value: meter(words.cpu, metrics.cpu_percent),
      help: inventory === null ? '' : words.cores(inventory.cpu_cores),
    },
    {
      label: words.memory,
      value: meter(words.memory, metrics.mem_used_percent),
      help:
        memory === null || metrics.mem_used_bytes === null
          ? ''
          : words.memoryOf(bytes(metrics.mem_used_bytes), bytes(memory)),
    },
    {
      label: words.swap,
      value: meter(words.swap, metrics.swap_used_percent),
      help: inventory === null || inventory.swap_bytes === 0 ? '' : bytes(inventory.swap_bytes),
    },
    {
      label: words.disk,
      value: meter(words.disk, metrics.disk_used_percent),
      help: disk === null ? '' : words.diskOf(disk.mount, usedOf(disk)),
    },
    {
      label: words.load,
      value: <span className="now-load">{metrics.load_1 === null ? '–' : load(metrics.load_1)}</span>,
      help:
        metrics.load_5 === null || metrics.load_15 === null
          ? ''
          : words.loadOf(load(metrics.load_5), load(metrics.load_15)),
    },
  ];
  return (
    <section className="panel" aria-label={words.title}>
      <dl className="now">
        {figures.map(({ label, value, help }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
            <dd className="soft now-help">{help}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
