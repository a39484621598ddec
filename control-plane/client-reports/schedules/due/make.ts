import { toIso } from '../../../../kernel/clock.js';
import { AppError } from '../../../errors.js';
import { logoUrl } from '../../../logo/logo.js';
import { refuseOverQuota } from '../../../plans/quota.js';
import { createReport } from '../../create.js';
import { ReportProblem } from '../../facts/facts.js';
import type { CreateReport } from '../../schema.js';
import { nextAtMs } from '../change.js';
import type { RunDocument, ScheduleDocument } from '../documents.js';
import { type DueOccurrence, dueOccurrence } from '../times/occurrences.js';
import { periodOf } from '../times/period.js';
import { hasData } from './has-data.js';
import { type DueNeeds, STOPPED } from './needs.js';

const KEPT_MS = 400 * 86_400_000;

/**
 * Makes the report of the latest occurrence that is due, or stores why it makes none. The run, the report and the time of the next
 * occurrence are written in one transaction, so that an occurrence has one report through any kill.
 */
export async function makeDue(needs: DueNeeds, schedule: ScheduleDocument, signal: AbortSignal): Promise<void> {
  const { clock } = needs;
  const nowMs = clock.now();
  const due = schedule.next_at_ms === null ? null : dueOccurrence(schedule, schedule.next_at_ms, nowMs);
  const period = periodOf(schedule.period, due?.atMs ?? nowMs, schedule.time_zone);
  const reason = due === null ? null : await whySkipped(needs, schedule, period, signal);
  try {
    await store(needs, schedule, { due, period, reason, nowMs });
  } catch (error) {
    // The quota of the plan is counted in the transaction, which has ended.
    if (!(error instanceof AppError) || reason !== null) throw error;
    await store(needs, schedule, { due, period, reason: error.message, nowMs });
  }
}

interface Outcome {
  /** null if the clock was set back, so that nothing is due yet. */
  due: DueOccurrence | null;
  period: RunDocument['period'];
  /** null to make a report. */
  reason: string | null;
  nowMs: number;
}

/** Returns why no report is made; null to make one. */
async function whySkipped(
  { standingOf, systemActor, months, sources, clock }: DueNeeds,
  schedule: ScheduleDocument,
  period: RunDocument['period'],
  signal: AbortSignal,
): Promise<string | null> {
  const { workspace_id } = schedule;
  const standing = await standingOf(workspace_id);
  if (standing === null || standing.stopped) return STOPPED;
  try {
    // First, because it costs least. The transaction that creates the report counts again.
    const { plan } = await systemActor(workspace_id);
    refuseOverQuota(plan, 'reportsPerMonth', await months.count(workspace_id, clock.now()));
    return (await hasData(sources, schedule, period, signal)) ? null : 'There is no data of the period.';
  } catch (error) {
    if (error instanceof ReportProblem || error instanceof AppError) return error.message;
    throw error;
  }
}

async function store(
  needs: DueNeeds,
  schedule: ScheduleDocument,
  { due, period, reason, nowMs }: Outcome,
): Promise<void> {
  const { schedules, runs } = needs;
  const next = nextAtMs(schedule, nowMs);
  const input = reason === null ? await inputOf(needs, schedule, period) : null;
  await needs.runTransaction(async (tx) => {
    if (!(await schedules.advance(tx, schedule, next)) || due === null) return;
    const runId = `${schedule._id}/${toIso(due.atMs)}`;
    // A clock that was fast has made it already, and was set back since.
    if (await runs.exists(tx, schedule.workspace_id, runId)) return;
    const report =
      input === null
        ? null
        : await createReport(needs, tx, await needs.systemActor(schedule.workspace_id), input, schedule._id);
    await runs.insert(tx, {
      _id: runId,
      workspace_id: schedule.workspace_id,
      schedule_id: schedule._id,
      occurrence_ms: due.atMs,
      missed: due.missed,
      period: report?.period ?? period,
      status: report === null ? 'skipped' : 'generating',
      reason,
      report_id: report?._id ?? null,
      recipients: [],
      ...(report === null ? {} : { open: true }),
      link_expires_ms: null,
      next_at_ms: nowMs,
      created_at_ms: nowMs,
      finished_at_ms: report === null ? nowMs : null,
      expires_at: new Date(nowMs + KEPT_MS),
    });
  });
}

/** Returns what a person would send to create the report. */
async function inputOf(
  { files }: DueNeeds,
  schedule: ScheduleDocument,
  { from_ms, to_ms }: RunDocument['period'],
): Promise<CreateReport> {
  const { title, client_name, time_zone, sections, monitors, paper_size, color, logo: type } = schedule;
  const of = { workspaceId: schedule.workspace_id, id: schedule._id };
  const bytes = type === null ? null : await files.part(of, 'logo', 0);
  return {
    title,
    client_name,
    period: { from: toIso(from_ms), to: toIso(to_ms) },
    time_zone,
    sections,
    ...(monitors === null ? {} : { monitors }),
    paper_size,
    branding: { color, ...(type === null || bytes === null ? {} : { logo: logoUrl({ type, bytes }) }) },
  };
}
