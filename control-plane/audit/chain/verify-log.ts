import { entryOf } from '../entry.js';
import type { AuditStore } from '../store.js';
import { type ChainReport, createChainCheck, WHOLE_CHAIN } from './verify.js';

/** How often a chain is walked anew because retention deleted in front of the walk. */
const WALKS_MAX = 10;

/** Checks the chains of all workspaces, one after another, also while entries are being sealed and deleted. */
export async function* verifyAuditLog(store: AuditStore): AsyncGenerator<{ workspaceId: string; report: ChainReport }> {
  for (const chain of await store.chains()) {
    const { workspaceId } = chain;
    let { head } = chain;
    for (let walk = 1; ; walk++) {
      const check = createChainCheck(head?.start ?? WHOLE_CHAIN);
      for await (const document of store.chain(workspaceId, head)) check.add(entryOf(document));
      const report = check.finish(head);
      const after = report.problems.length === 0 || walk === WALKS_MAX ? head : await store.currentHead(workspaceId);
      if (after?.start?.dropped === head?.start?.dropped) {
        yield { workspaceId, report };
        break;
      }
      // What looked broken may have been deleted by retention meanwhile.
      head = after;
    }
  }
}
