import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { SecondFactorChanges } from '../changes.js';
import type { Person } from '../person.js';
import type { SecondFactorsStore } from '../store.js';
import { summaryOf } from '../summary.js';

export type DisableTotp = (tx: Transaction, person: Person) => Promise<void>;

/** Returns the verb that removes the authenticator app. The caller has checked a second factor. */
export function createDisableTotp(needs: { factors: SecondFactorsStore; changes: SecondFactorChanges }): DisableTotp {
  const { factors, changes } = needs;
  return async (tx, person) => {
    if (!summaryOf(await factors.findIn(tx, person.userId)).totp) {
      throw new AppError('conflict', 'No authenticator app is set up.');
    }
    await factors.setTotp(tx, person.userId, null);
    await changes.removed(tx, person, { method: 'totp', notice: { type: 'totp_disabled' } });
  };
}
