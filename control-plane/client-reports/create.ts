import type { Actor } from '../actor.js';
import { readLogo } from '../logo/logo.js';
import { refuseOverQuota } from '../plans/quota.js';
import type { Transaction } from '../storage/transaction.js';
import type { ReportDocument } from './documents.js';
import type { ReportNeeds } from './needs.js';
import { orderOf } from './order.js';
import { BODY_PATHS } from './period.js';
import type { CreateReport } from './schema.js';
import { newVerificationCode } from './verification/code.js';
import { reportView } from './view.js';

/**
 * Creates a report, which waits for its generation. `scheduleId` is the schedule that makes it. Throws 422 for a wrong period or
 * logo, and 402 beyond the plan.
 */
export async function createReport(
  needs: Pick<ReportNeeds, 'store' | 'files' | 'months' | 'audit' | 'ids' | 'clock' | 'random'>,
  tx: Transaction,
  actor: Actor,
  input: CreateReport,
  scheduleId: string | null,
): Promise<ReportDocument> {
  const { store, files, months, audit, ids, clock, random } = needs;
  const nowMs = clock.now();
  const logo = input.branding?.logo === undefined ? null : await readLogo(input.branding.logo, '/branding/logo');
  const bySchedule = scheduleId === null ? {} : { schedule_id: scheduleId };
  const report: ReportDocument = {
    _id: ids.next('rpt'),
    workspace_id: actor.workspaceId,
    ...orderOf(input, nowMs, BODY_PATHS),
    status: 'generating',
    open: true,
    attempts: 0,
    retry_at_ms: 0,
    error: null,
    pages: null,
    size_bytes: null,
    data_bytes: null,
    content_bytes: null,
    sha256: null,
    completed_at_ms: null,
    created_at_ms: nowMs,
    version: 1,
    logo: logo?.type ?? null,
    verification_code: newVerificationCode(random),
    ...bySchedule,
  };
  refuseOverQuota(actor.plan, 'reportsPerMonth', (await months.add(tx, actor.workspaceId, nowMs)) - 1);
  await store.insert(tx, report);
  if (logo !== null) await files.insert(tx, { workspaceId: actor.workspaceId, id: report._id }, 'logo', logo.bytes);
  const { period } = reportView(report);
  await audit.record(tx, actor, {
    action: 'report.created',
    resource: { type: 'report', id: report._id, name: report.title },
    metadata: {
      client_name: report.client_name,
      from: period.from,
      to: period.to,
      time_zone: report.time_zone,
      ...bySchedule,
    },
  });
  return report;
}
