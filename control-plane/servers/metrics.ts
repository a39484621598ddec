import { Counter, type Registry } from 'prom-client';

/** Counts what this slice refuses and sets aside, for `/metrics`. */
export interface ServerMetrics {
  /** `reason` is one of a few codes. */
  samplesRefused(reason: string, count: number): void;
  inventoryDropped(): void;
  hourSetAside(reason: 'too_large' | 'failed'): void;
}

export function createServerMetrics(registry: Registry): ServerMetrics {
  const refused = new Counter({
    name: 'picket_server_samples_refused_total',
    help: 'Samples of servers that were refused for good, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const inventories = new Counter({
    name: 'picket_server_inventories_dropped_total',
    help: 'Inventories of servers that were dropped because too many waited to be stored.',
    registers: [registry],
  });
  const setAside = new Counter({
    name: 'picket_server_hours_set_aside_total',
    help: 'Hours of samples of one server that could not be packed and were set aside, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return {
    samplesRefused: (reason, count) => refused.inc({ reason }, count),
    inventoryDropped: () => inventories.inc(),
    hourSetAside: (reason) => setAside.inc({ reason }),
  };
}
