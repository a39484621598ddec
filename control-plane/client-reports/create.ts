import type { Actor } from '../actor.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import type { ReportDocument } from './documents.js';
import type { ReportNeeds } from './needs.js';
import { reportPeriod, timeZoneOf } from './period.js';
import { COLOR_DEFAULT, type CreateReport } from './schema.js';
import { SECTIONS, type SectionChoice } from './sections.js';
import { reportView } from './view.js';

/** Creates a report, which waits for its generation. Throws 422 for a wrong period, and 402 beyond the plan. */
export async function createReport(
  needs: Pick<ReportNeeds, 'store' | 'months' | 'audit' | 'ids' | 'clock'>,
  tx: Transaction,
  actor: Actor,
  input: CreateReport,
): Promise<ReportDocument> {
  const { store, months, audit, ids, clock } = needs;
  const nowMs = clock.now();
  const report: ReportDocument = {
    _id: ids.next('rpt'),
    workspace_id: actor.workspaceId,
    title: input.title,
    client_name: input.client_name,
    period: reportPeriod(input.period, nowMs),
    time_zone: timeZoneOf(input.time_zone ?? 'UTC'),
    sections: Object.fromEntries(SECTIONS.map((name) => [name, input.sections?.[name] ?? true])) as SectionChoice,
    color: (input.branding?.color ?? COLOR_DEFAULT).toLowerCase(),
    status: 'generating',
    open: true,
    attempts: 0,
    retry_at_ms: 0,
    ...{ error: null, pages: null, size_bytes: null, sha256: null, completed_at_ms: null },
    created_at_ms: nowMs,
    version: 1,
  };
  refuseOverQuota(actor.plan, 'reportsPerMonth', (await months.add(tx, actor.workspaceId, nowMs)) - 1);
  await store.insert(tx, report);
  const { period } = reportView(report);
  await audit.record(tx, actor, {
    action: 'report.created',
    resource: { type: 'report', id: report._id, name: report.title },
    metadata: { client_name: report.client_name, from: period.from, to: period.to, time_zone: report.time_zone },
  });
  return report;
}
