import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import { type DatabaseMember, membersIn } from './database-members.js';

export interface DatabaseHealth {
  /** How long the primary took to answer. */
  latencyMs: number;
  /** null if the user of the database may not read it (the role `clusterMonitor` may). */
  members: DatabaseMember[] | null;
}

const STATUS_MS_MAX = 2_000;
const UNAUTHORIZED = 13;

/** Asks the database how it is. Rejects if it does not answer. */
export async function readDatabaseHealth(db: Db, clock: Pick<Clock, 'monotonic'>): Promise<DatabaseHealth> {
  const startMs = clock.monotonic();
  await db.command({ ping: 1 });
  const latencyMs = clock.monotonic() - startMs;
  return { latencyMs, members: await membersOf(db) };
}

async function membersOf(db: Db): Promise<DatabaseMember[] | null> {
  try {
    const status = await db.admin().command({ replSetGetStatus: 1, maxTimeMS: STATUS_MS_MAX });
    return membersIn(status);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNAUTHORIZED) return null;
    throw error;
  }
}
