import { Counter, type Registry } from 'prom-client';

/** Counts results of probes that are not stored, for `/metrics`. */
export interface ResultMetrics {
  overBudget(location: string, count: number): void;
}

export function createResultMetrics(registry: Registry): ResultMetrics {
  const overBudget = new Counter({
    name: 'picket_results_over_budget_total',
    help: 'Results of probes that were refused because their monitor had too many in one minute, by location.',
    labelNames: ['location'],
    registers: [registry],
  });
  return { overBudget: (location, count) => overBudget.inc({ location }, count) };
}
