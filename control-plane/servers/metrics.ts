import { Counter, type Registry } from 'prom-client';
import { startAtZero } from '../start-at-zero.js';

const SAMPLE_REASONS = ['report_malformed', 'report_too_old', 'report_over_budget'] as const;
const HOUR_REASONS = ['too_large', 'failed'] as const;

/** Why a sample is refused for good. */
export type SampleRefusal = (typeof SAMPLE_REASONS)[number];

/** Counts what this slice refuses and sets aside, for `/metrics`. */
export interface ServerMetrics {
  samplesRefused(reason: SampleRefusal, count: number): void;
  inventoryDropped(): void;
  hourSetAside(reason: (typeof HOUR_REASONS)[number]): void;
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
    help: 'Inventories of servers that were dropped because too many waited to be stored, or storing failed for a minute.',
    registers: [registry],
  });
  const setAside = new Counter({
    name: 'picket_server_hours_set_aside_total',
    help: 'Hours of samples of one server that could not be packed and were set aside, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  startAtZero(
    refused,
    SAMPLE_REASONS.map((reason) => ({ reason })),
  );
  startAtZero(
    setAside,
    HOUR_REASONS.map((reason) => ({ reason })),
  );
  return {
    samplesRefused: (reason, count) => refused.inc({ reason }, count),
    inventoryDropped: () => inventories.inc(),
    hourSetAside: (reason) => setAside.inc({ reason }),
  };
}
