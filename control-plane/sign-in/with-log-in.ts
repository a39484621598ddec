import type { UserDocument } from '../accounts/documents.js';
import type { Client } from '../http/client/client.js';
import type { GivenFactors } from '../sessions/second-factor-check.js';
import type { Transaction } from '../storage/transaction.js';

/** What a log-in permits, in the transaction that uses up the second factor. */
export type LogInWork<T> = (tx: Transaction, proven: { user: UserDocument; secondFactor: boolean }) => Promise<T>;

/**
 * Runs `work` in a transaction if the password and the second factor of an account are right. Throws 401 for wrong
 * credentials or a missing second factor, and 429 after too many failures, which count like those of a log-in.
 */
export type WithLogIn = <T>(
  input: { email: string; password: string } & GivenFactors,
  client: Client,
  work: LogInWork<T>,
) => Promise<T>;
