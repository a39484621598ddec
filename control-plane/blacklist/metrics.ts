import { Counter, Gauge, type Registry } from 'prom-client';
import type { TargetCheck } from './blacklist.js';
import type { ZoneTests } from './lists/zone-tests.js';

/** What the lists answer, on `/metrics`. */
export interface BlacklistMetrics {
  checked(check: TargetCheck): void;
}

export function createBlacklistMetrics(registry: Registry, zoneTests: Pick<ZoneTests, 'states'>): BlacklistMetrics {
  const answers = new Counter({
    name: 'picket_blacklist_answers_total',
    help: 'Answers of blacklists by list and status.',
    labelNames: ['list', 'status'],
    registers: [registry],
  });
  new Gauge({
    name: 'picket_blacklist_list_passing',
    help: '1: the list passes its own test entries. 0: it fails them and is left out of scores. Absent before a test.',
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
