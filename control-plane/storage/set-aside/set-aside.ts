import { inspect } from 'node:util';
import type { Document } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { SetAside } from '../writes/insert-new.js';
import type { SetAsideStore } from './store.js';

/** An operator needs time to look, and a record of a customer is not kept longer than that. */
const KEPT_MS = 7 * 86_400_000;
const TEXT_CHARS_MAX = 16_384;
/** Bounds what a broken probe can store; more records in a minute are only counted. */
const STORED_PER_MINUTE_MAX = 60;
const MINUTE_MS = 60_000;

interface SetAsideNeeds {
  store: Pick<SetAsideStore, 'insert'>;
  /** Counts one record of this collection. */
  count(collection: string): void;
  clock: Pick<Clock, 'now'>;
  logger: Logger;
}

/** Returns the function that keeps refused records: it counts and logs each, and stores it as text for a week. */
export function createSetAside({ store, count, clock, logger }: SetAsideNeeds): SetAside {
  const minute = { startMs: Number.NEGATIVE_INFINITY, stored: 0 };

  return async ({ collection, record, error }) => {
    const nowMs = clock.now();
    if (nowMs - minute.startMs >= MINUTE_MS || nowMs < minute.startMs)
      Object.assign(minute, { startMs: nowMs, stored: 0 });
    if (minute.stored < STORED_PER_MINUTE_MAX) {
      minute.stored++;
      await store.insert({
        collection,
        record_id: textOf(record, '_id'),
        workspace_id: textOf(record, 'workspace_id'),
        error: shortened(error instanceof Error ? error.message : inspect(error, { depth: 2 })),
        record: shortened(inspect(record, { depth: 6, maxArrayLength: 100, maxStringLength: 1_000 })),
        refused_at: new Date(nowMs),
        expires_at: new Date(nowMs + KEPT_MS),
      });
      logger.error(
        { err: error, collection, record: textOf(record, '_id') },
        'the database refuses a record; set it aside',
      );
    }
    count(collection);
  };
}

function textOf(record: Document, field: string): string | null {
  const value: unknown = record[field];
  return typeof value === 'string' ? shortened(value) : null;
}

const shortened = (text: string) => text.slice(0, TEXT_CHARS_MAX);
