import type { Db } from 'mongodb';

/**
 * Returns a function that resolves to the time of the database's primary, in milliseconds since the Unix epoch. Control
 * planes compare and store times by this clock where a wrong clock of one of them must not matter.
 */
export function createDatabaseTime(db: Db): () => Promise<number> {
  return async () => {
    const { localTime } = await db.command({ hello: 1 });
    return localTime.getTime();
  };
}
