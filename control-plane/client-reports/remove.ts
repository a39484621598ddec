import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { ReportNeeds } from './needs.js';

/** Deletes a report with its file. One that is being generated is never completed then. Throws 404 and 412. */
export async function removeReport(
  { store, files, audit }: Pick<ReportNeeds, 'store' | 'files' | 'audit'>,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<void> {
  const { workspaceId } = actor;
  const report = await store.find(workspaceId, request.id, tx);
  if (report === null) throw notFound('report');
  requireVersion(request.ifVersion, report.version);
  if (!(await store.remove(tx, workspaceId, report._id))) throw notFound('report');
  await files.removeOf(tx, workspaceId, report._id);
  await audit.record(tx, actor, {
    action: 'report.deleted',
    resource: { type: 'report', id: report._id, name: report.title },
    metadata: { client_name: report.client_name, status: report.status },
  });
}
