import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { SecondFactorChanges } from '../changes.js';
import type { Person } from '../person.js';
import type { SecondFactorsStore } from '../store.js';
import { PASSKEYS_PER_PERSON_MAX } from './register.js';
import type { PasskeysStore } from './store.js';

export type RemovePasskey = (
  tx: Transaction,
  person: Person,
  input: { id: string; ifVersion: number | null },
) => Promise<void>;

export function createRemovePasskey(needs: {
  passkeys: PasskeysStore;
  factors: SecondFactorsStore;
  changes: SecondFactorChanges;
}): RemovePasskey {
  const { passkeys, factors, changes } = needs;
  return async (tx, person, { id, ifVersion }) => {
    await changes.begin(tx, person);
    const removed = await passkeys.remove(tx, person.userId, id);
    if (removed === null) throw notFound('passkey');
    requireVersion(ifVersion, removed.version);
    const left = await passkeys.allOf(tx, person.userId, PASSKEYS_PER_PERSON_MAX);
    await factors.setPasskeys(tx, person.userId, left.length);
    await changes.removed(tx, person, {
      method: 'passkey',
      passkey: { id, name: removed.name },
      notice: { type: 'passkey_removed', passkey: removed.name },
    });
  };
}
