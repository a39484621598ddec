import type { SecondFactor } from '../sessions/second-factor-check.js';
import type { SecondFactorDocument } from './documents.js';

/** What a person can prove beside the password. */
export interface SecondFactorSummary {
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/** null: the person never set up anything. */
export function summaryOf(document: SecondFactorDocument | null): SecondFactorSummary {
  if (document === null) return { totp: false, passkeys: 0, recoveryCodes: 0 };
  const { totp, passkeys, recovery } = document;
  return { totp: totp !== null, passkeys, recoveryCodes: recovery?.hashes.length ?? 0 };
}

/** Returns whether a log-in needs a second factor. Recovery codes alone are none. */
export function hasSecondFactor({ totp, passkeys }: SecondFactorSummary): boolean {
  return totp || passkeys > 0;
}

/** Returns what a person may send as second factor; empty when they have none. */
export function secondFactorsOf(summary: SecondFactorSummary): SecondFactor[] {
  if (!hasSecondFactor(summary)) return [];
  const factors: [SecondFactor, boolean][] = [
    ['totp', summary.totp],
    ['passkey', summary.passkeys > 0],
    ['recovery_code', summary.recoveryCodes > 0],
  ];
  return factors.filter(([, present]) => present).map(([factor]) => factor);
}
