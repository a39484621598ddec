import { entryOf } from './entry.js';
import type { AuditStore } from './store.js';
import { type ChainReport, createChainCheck } from './verify.js';

/** Checks the chains of all workspaces, one after another, also while entries are being sealed. */
export async function* verifyAuditLog(store: AuditStore): AsyncGenerator<{ workspaceId: string; report: ChainReport }> {
  for (const { workspaceId, head } of await store.chains()) {
    const check = createChainCheck();
    for await (const document of store.chain(workspaceId, head)) check.add(entryOf(document));
    yield { workspaceId, report: check.finish(head) };
  }
}
