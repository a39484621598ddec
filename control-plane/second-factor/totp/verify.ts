import type { Clock } from '../../../kernel/clock.js';
import { AppError, invalidField } from '../../errors.js';
import type { DatabaseTime } from '../../storage/clock/database-time.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { Transaction } from '../../storage/transaction.js';
import type { SecondFactorChanges } from '../changes.js';
import type { Person } from '../person.js';
import type { SecondFactorsStore } from '../store.js';
import { matchingStep } from './code.js';

/** Resolves to the new recovery codes. */
export type VerifyTotp = (tx: Transaction, person: Person, code: string) => Promise<string[]>;

/** Returns the verb that takes the secret of an enrolment into use once its app has shown a right code. */
export function createVerifyTotp(needs: {
  factors: SecondFactorsStore;
  changes: SecondFactorChanges;
  box: SecretBox;
  clock: Clock;
  databaseTime: DatabaseTime;
}): VerifyTotp {
  const { factors, changes, box, clock, databaseTime } = needs;
  return async (tx, person, code) => {
    const before = await changes.begin(tx, person);
    const pending = (await factors.findIn(tx, person.userId))?.pending ?? null;
    if (pending === null || pending.expires_at_ms <= clock.now()) {
      throw new AppError('conflict', 'No enrolment waits for a code. Start one: POST /v1/auth/mfa/totp.');
    }
    const secret = box.open(pending.sealed_secret, { purpose: 'totp', id: person.userId });
    const step = matchingStep(secret, code, await databaseTime());
    if (step === null) throw invalidField('/totp', 'is not a code that the app shows now', 'wrong');
    const { sealed_secret } = pending;
    // The code of this step was used: it must not also log in.
    await factors.setTotp(tx, person.userId, { sealed_secret, since_ms: clock.now(), last_step: step });
    const codes = await changes.newRecoveryCodes(tx, person);
    await changes.added(tx, person, before, { method: 'totp', notice: { type: 'totp_enabled' } });
    return codes;
  };
}
