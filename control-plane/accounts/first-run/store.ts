import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';

/** Records that the first run is done. Its unique id decides between control planes that start at once. */
export interface FirstRunDocument {
  _id: 'first_run';
  /** Part of the name of the temporary file with the committed credentials. */
  token: string;
  /** Also when its workspace was created. */
  at_ms: number;
}

export interface FirstRunStore {
  find(): Promise<FirstRunDocument | null>;
  insert(tx: Transaction, document: FirstRunDocument): Promise<void>;
}

export function createFirstRunStore(db: Db): FirstRunStore {
  const setup = db.collection<FirstRunDocument>('setup');
  return {
    find: () => setup.findOne({ _id: 'first_run' }),
    async insert(tx, document) {
      await setup.insertOne(document, { session: tx.session });
    },
  };
}
