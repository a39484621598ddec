import { Counter, Gauge, type Registry } from 'prom-client';
import type { ZoneTests } from './lists/zone-tests.js';
import type { TargetCheck } from './results.js';

/** Counts the answers of the lists for `/metrics`. */
export interface BlacklistMetrics {
  checked(check: TargetCheck): void;
}

export function createBlacklistMetrics(registry: Registry, zoneTests: Pick<ZoneTests, 'states'>): BlacklistMetrics {
  const answers = new Counter({
    name: 'picket_blacklist_answers_total',
    help: 'Answers of blacklists, by list and status.',
    labelNames: ['list', 'status'],
    registers: [registry],
  });
  new Gauge({
    name: 'picket_blacklist_list_passing',
    help: '1 if the list passes its test entries. 0 if it fails them and is excluded from scores. Absent before the first test.',
    labelNames: ['list'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [list, { health }] of zoneTests.states()) {
        if (health !== 'untested') this.set({ list }, health === 'passing' ? 1 : 0);
      }
    },
  });
  return {
    checked({ results }) {
      for (const { provider, status } of results) answers.inc({ list: provider, status });
    },
  };
}
