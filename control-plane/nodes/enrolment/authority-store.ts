import type { Db } from 'mongodb';
import { isDuplicateKey } from '../../storage/transaction.js';
import type { AuthorityDocument } from '../documents.js';

/** Stores the certificate authority of the installation. */
export interface AuthorityStore {
  find(): Promise<AuthorityDocument | null>;
  /** Stores the authority and resolves to it, or to the one that another control plane stored first. */
  insertOrRead(authority: AuthorityDocument): Promise<AuthorityDocument>;
}

export function createAuthorityStore(db: Db): AuthorityStore {
  const authorities = db.collection<AuthorityDocument>('certificate_authorities');
  return {
    find: () => authorities.findOne({ _id: 'nodes' }),
    async insertOrRead(authority) {
      try {
        await authorities.insertOne(authority);
        return authority;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const stored = await authorities.findOne({ _id: authority._id });
        if (stored === null) throw new Error('the certificate authority disappeared from the database');
        return stored;
      }
    },
  };
}
