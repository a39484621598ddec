import type { Db } from 'mongodb';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { OpenedSlice, Slice } from '../../slice.js';
import { startAtZero } from '../../start-at-zero.js';
import type { SetAside } from '../writes/insert-new.js';
import { createSetAside } from './set-aside.js';
import { createSetAsideStore } from './store.js';

/** The collections whose records can be set aside. */
const COLLECTIONS = ['results', 'monitors', 'server_reports', 'servers'];

interface SetAsideNeeds {
  db: Db;
  registry: Registry;
  clock: Clock;
  logger: Logger;
}

/** Records that the database refuses: counted on `/metrics`, logged, and stored as text. */
export const setAsideSlice: Slice<'refusedRecords', SetAsideNeeds, OpenedSlice & { setAside: SetAside }> = {
  name: 'refusedRecords',
  open({ db, registry, clock, logger }) {
    const store = createSetAsideStore(db);
    const total = new Counter({
      name: 'picket_records_refused_total',
      help: 'Records that the database refused for their content and that were set aside.',
      labelNames: ['collection'],
      registers: [registry],
    });
    startAtZero(
      total,
      COLLECTIONS.map((collection) => ({ collection })),
    );
    const count = (collection: string) => total.inc({ collection });
    return { setAside: createSetAside({ store, count, clock, logger }), ensureIndexes: store.ensureIndexes };
  },
};
