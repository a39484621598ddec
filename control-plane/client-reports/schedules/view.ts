import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { AuditAction, AuditEvent } from '../../audit/audit.js';
import { changesOf } from '../../audit/changes.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import type { RunDocument, ScheduleDocument, ScheduleSettings } from './documents.js';
import { OCCURRENCES_SHOWN, type Run, type Schedule } from './schema.js';
import { nextOccurrences } from './times/occurrences.js';

type Shown = ScheduleSettings & Pick<ScheduleDocument, 'logo'>;

/** Returns the settings in the API's shape. */
export function settingsShown({ color, logo, ...rest }: Shown) {
  const { name, cron, time_zone, period, recipients, title, client_name } = rest;
  const { sections, monitors, paper_size, attach, enabled } = rest;
  return {
    name,
    cron,
    time_zone,
    period,
    recipients,
    title,
    client_name,
    sections,
    monitors,
    paper_size,
    branding: { color, has_logo: logo !== null },
    attach,
    enabled,
  };
}

/** Returns the changed settings for the audit log. */
export function settingsChanges(before: Shown, after: Shown) {
  return changesOf(settingsShown(before), settingsShown(after));
}

/** Returns the audit event of a change of a schedule. */
export function audited(
  action: AuditAction,
  { _id, name }: ScheduleDocument,
  metadata: Record<string, unknown> = {},
): AuditEvent {
  return { action, resource: { type: 'report_schedule', id: _id, name }, metadata };
}

/** What is read beside schedules to show them. */
export interface BesideSchedules {
  /** Addresses in lower case. */
  unconfirmed: ReadonlySet<string>;
  /** The newest run of each schedule, by its id. */
  lastRuns: ReadonlyMap<string, RunDocument>;
}

/** Returns a schedule as the API shows it. */
export function scheduleView(
  schedule: ScheduleDocument,
  { unconfirmed, lastRuns }: BesideSchedules,
  nowMs: number,
): Schedule {
  const lastRun = lastRuns.get(schedule._id);
  return {
    id: schedule._id,
    ...settingsShown(schedule),
    unconfirmed: schedule.recipients.filter((address) => unconfirmed.has(canonicalEmail(address))),
    next_occurrences: schedule.enabled ? nextOccurrences(schedule, nowMs, OCCURRENCES_SHOWN).map(toIso) : [],
    last_run: lastRun === undefined ? null : runView(lastRun),
    created_by: schedule.created_by,
    created_at: toIso(schedule.created_at_ms),
    updated_at: toIso(schedule.updated_at_ms),
  };
}

/** Returns an occurrence of a schedule as the API shows it. */
export function runView(run: RunDocument): Run {
  return {
    occurrence: toIso(run.occurrence_ms),
    missed: run.missed,
    period: { from: toIso(run.period.from_ms), to: toIso(run.period.to_ms) },
    status: run.status,
    reason: run.reason,
    report_id: run.report_id,
    recipients: run.recipients.map(({ address, status, sent_at_ms }) => ({
      email: address,
      status,
      sent_at: isoOrNull(sent_at_ms),
    })),
    finished_at: isoOrNull(run.finished_at_ms),
  };
}
