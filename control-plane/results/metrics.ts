import { Counter, type Registry } from 'prom-client';
import { startAtZero } from '../start-at-zero.js';

const REFUSAL_KINDS = ['malformed', 'slot_ahead', 'unknown_monitor', 'not_assigned', 'too_old'] as const;

/** Why a record of a probe is refused forever. */
export type RefusalKind = (typeof REFUSAL_KINDS)[number];

/** Counts records of probes that are not stored, for `/metrics`. */
export interface ResultMetrics {
  refused(kind: RefusalKind): void;
  overBudget(location: string, count: number): void;
}

export function createResultMetrics(registry: Registry): ResultMetrics {
  const refused = new Counter({
    name: 'picket_results_refused_total',
    help: 'Records of probes that this control plane refused: not well-formed, of the future, or of monitors that the probe was not assigned.',
    labelNames: ['reason'],
    registers: [registry],
  });
  startAtZero(
    refused,
    REFUSAL_KINDS.map((reason) => ({ reason })),
  );
  const overBudget = new Counter({
    name: 'picket_results_over_budget_total',
    help: 'Results of probes that were refused because their monitor had too many in one minute, by location.',
    labelNames: ['location'],
    registers: [registry],
  });
  return {
    refused: (kind) => refused.inc({ reason: kind }),
    overBudget: (location, count) => overBudget.inc({ location }, count),
  };
}
