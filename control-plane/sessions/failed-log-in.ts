import type { UserDocument } from '../accounts/documents.js';
import type { Client } from '../http/client/client.js';
import type { Transaction } from '../storage/transaction.js';
import type { SignInMethod } from './documents.js';

/** A log-in or a confirmation that failed. */
export interface FailedLogIn {
  /** null when nobody has the address. */
  user: UserDocument | null;
  /** The address as it was typed; at most as long as an e-mail address. */
  email: string;
  client: Pick<Client, 'ip' | 'userAgent' | 'requestId'>;
  method: SignInMethod;
  /** What was wrong. */
  reason: 'password' | 'second_factor' | 'passkey' | 'confirmation';
}

/**
 * Writes `auth.login_failed`: in the workspace that the log-in would have opened, or in that of the operators when
 * nobody has the address, because it is no business of any workspace.
 */
export type RecordFailedLogIn = (tx: Transaction, failed: FailedLogIn) => Promise<void>;
