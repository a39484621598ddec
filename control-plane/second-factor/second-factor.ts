import type { SecondFactorCheck } from '../sessions/second-factor-check.js';
import type { Transaction } from '../storage/transaction.js';
import type { AttemptLimit } from './attempts/limit.js';
import type { SecondFactorSummary } from './summary.js';

/** Second factors, as other slices use them. */
export interface SecondFactors {
  /** For log-ins and confirmations. Throws `rate_limited` after 30 wrong second factors of a person within an hour. */
  check: SecondFactorCheck;
  /** Limits wrong passwords and wrong second factors of a confirmation. */
  confirmations: AttemptLimit;
  /** Resolves to what the person has set up, for `GET /v1/auth/me`. */
  summary(userId: string): Promise<SecondFactorSummary>;
  /** Resolves to those of these users who have a second factor. */
  withFactor(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes everything of a person whose account is deleted. */
  forget(tx: Transaction, userId: string): Promise<void>;
}
