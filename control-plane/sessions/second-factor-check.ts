import type { UserDocument } from '../accounts/documents.js';
import type { Client } from '../http/client/client.js';
import type { Transaction } from '../storage/transaction.js';

export type SecondFactor = 'totp' | 'passkey' | 'recovery_code';

/** What comes with a log-in or a confirmation. */
export interface GivenFactors {
  totp?: string;
  recovery_code?: string;
  /** The answer of an authenticator, as WebAuthn's `PublicKeyCredential.toJSON()` gives it. */
  passkey?: unknown;
}

/** From where a factor was given, for the mail about a used recovery code. */
export type ProofOrigin = Pick<Client, 'ip' | 'userAgent'>;

/** Checks second factors. */
export interface SecondFactorCheck {
  /** Resolves to what the user has set up; empty for a user without a second factor. */
  factorsOf(user: UserDocument): Promise<SecondFactor[]>;
  /**
   * Resolves to `missing` when none was given. A one-time password and a recovery code work once, so call it in the
   * transaction of what it permits.
   */
  verify(
    tx: Transaction,
    user: UserDocument,
    given: GivenFactors,
    from: ProofOrigin,
  ): Promise<'right' | 'wrong' | 'missing'>;
}
