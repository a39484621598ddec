import { entryOf } from '../entry.js';
import type { AuditChainStore } from './store.js';
import { type ChainResult, createChainCheck, WHOLE_CHAIN } from './verify.js';

/** How many times a chain is read again because retention deleted entries during the read. */
const READS_MAX = 10;

/** Verifies the chains of all workspaces one by one, even while entries are being sealed and deleted. */
export async function* verifyAuditLog(
  store: AuditChainStore,
): AsyncGenerator<{ workspaceId: string; result: ChainResult }> {
  for (const chain of await store.chains()) {
    const { workspaceId } = chain;
    let { head } = chain;
    for (let read = 1; ; read++) {
      const check = createChainCheck(head?.start ?? WHOLE_CHAIN);
      for await (const document of store.chain(workspaceId, head)) check.add(entryOf(document));
      const result = check.finish(head);
      const after = result.problems.length === 0 || read === READS_MAX ? head : await store.currentHead(workspaceId);
      if (after?.start?.dropped === head?.start?.dropped) {
        yield { workspaceId, result };
        break;
      }
      // Retention deleted entries during the read, which may explain the problems.
      head = after;
    }
  }
}
