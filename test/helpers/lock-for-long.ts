import { MongoClient } from 'mongodb';
import { lockDocument } from './locked-monitor.js';

const HOUR_S = 3_600;

/**
 * Locks a document as `lockDocument` does, and for an hour: otherwise the database itself ends the transaction after a time
 * that a slow machine may need for what a test does meanwhile. The limit of a transaction is what it was when that began.
 */
export async function lockForLong(uri: string, collection: string, id: string): Promise<() => Promise<void>> {
  const client = new MongoClient(uri);
  const admin = client.db('admin');
  const name = 'transactionLifetimeLimitSeconds';
  try {
    const { [name]: before } = await admin.command({ getParameter: 1, [name]: 1 });
    await admin.command({ setParameter: 1, [name]: HOUR_S });
    try {
      return await lockDocument(uri, collection, id);
    } finally {
      await admin.command({ setParameter: 1, [name]: before });
    }
  } finally {
    await client.close();
  }
}
