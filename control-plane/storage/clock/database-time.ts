import type { Db } from 'mongodb';

/**
 * Resolves to the time of the database's primary when it answered, in milliseconds since the Unix epoch. Control planes
 * compare and store times by this clock where a wrong clock of one of them must not matter.
 */
export type DatabaseTime = () => Promise<number>;

/** https://www.mongodb.com/docs/manual/reference/command/hello/ */
export function createDatabaseTime(db: Db): DatabaseTime {
  return async () => {
    const { localTime } = await db.command({ hello: 1 });
    if (!(localTime instanceof Date)) throw new Error('the database did not send its time');
    return localTime.getTime();
  };
}
