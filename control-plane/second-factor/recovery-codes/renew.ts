import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { SecondFactorChanges } from '../changes.js';
import type { Person } from '../person.js';
import { hasSecondFactor } from '../summary.js';

/** Resolves to the new recovery codes. */
export type RenewRecoveryCodes = (tx: Transaction, person: Person) => Promise<string[]>;

/** Returns the verb that replaces the recovery codes. The previous ones stop working. */
export function createRenewRecoveryCodes({ changes }: { changes: SecondFactorChanges }): RenewRecoveryCodes {
  return async (tx, person) => {
    if (!hasSecondFactor(await changes.begin(tx, person))) {
      throw new AppError('conflict', 'Recovery codes replace a second factor, and you have none. Set one up first.');
    }
    const codes = await changes.newRecoveryCodes(tx, person);
    await changes.audit(tx, person, 'auth.recovery_codes_renewed', {});
    await changes.notify(tx, person, { type: 'recovery_codes_renewed' });
    return codes;
  };
}
