import { platformActor } from '../../actor.js';
import type { RunTransaction } from '../../storage/transaction.js';
import type { AuditLog } from '../audit.js';
import type { AuditChainStore } from './store.js';
import type { ChainBreak } from './verify.js';

interface RecordBreakNeeds {
  store: Pick<AuditChainStore, 'lockBreaks' | 'hasBreak'>;
  audit: AuditLog;
  runTransaction: RunTransaction;
}

/**
 * Writes `audit.chain_broken` in the log of a workspace, so that its people and their SIEM get to know. Resolves to false
 * if the log has an entry of this break already: each is recorded once, however often the chain is verified.
 */
export async function recordBreak(
  { store, audit, runTransaction }: RecordBreakNeeds,
  { id, name }: { id: string; name: string },
  { first, problems }: { first: ChainBreak; problems: number },
): Promise<boolean> {
  // Most often it is known. The lock writes the document that sealing writes too.
  if (await store.hasBreak(null, id, first)) return false;
  return runTransaction(async (tx) => {
    await store.lockBreaks(tx, id);
    if (await store.hasBreak(tx, id, first)) return false;
    await audit.record(tx, platformActor(id), {
      action: 'audit.chain_broken',
      resource: { type: 'audit_log', id, name },
      metadata: { problems, first: { kind: first.kind, entry_id: first.id } },
    });
    return true;
  });
}
