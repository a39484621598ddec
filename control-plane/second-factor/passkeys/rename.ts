import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { SecondFactorChanges } from '../changes.js';
import type { PasskeyDocument } from '../documents.js';
import type { Person } from '../person.js';
import type { PasskeysStore } from './store.js';

export type RenamePasskey = (
  tx: Transaction,
  person: Person,
  input: { id: string; name: string; ifVersion: number | null },
) => Promise<PasskeyDocument>;

export function createRenamePasskey(needs: { passkeys: PasskeysStore; changes: SecondFactorChanges }): RenamePasskey {
  const { passkeys, changes } = needs;
  return async (tx, person, { id, name, ifVersion }) => {
    const before = await passkeys.rename(tx, person.userId, id, name);
    if (before === null) throw notFound('passkey');
    requireVersion(ifVersion, before.version);
    await changes.audit(tx, person, 'auth.passkey_renamed', {
      passkey: { id, name },
      changes: { name: { from: before.name, to: name } },
    });
    return { ...before, name, version: before.version + 1 };
  };
}
