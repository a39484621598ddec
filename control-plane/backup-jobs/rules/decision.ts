import { type MergedRules, otherRules } from '../../alert-rules/alert-rules.js';
import type { BackupJobDocument, JobProblem, Problem } from '../documents.js';
import type { BackupDecisionRecord } from './decision-record.js';
import type { MissedRule } from './rule-type.js';

const REASONS: Readonly<Record<Problem, string>> = {
  missed: 'no ping came within the grace period after the beginning that the schedule names',
  failed: 'the job reported a failure',
  not_ended: 'the job announced a start and reported no end within the time that a run may take',
  size_missing: 'the settings compare sizes, and the ping named none',
  too_small: 'the backup is smaller than the smallest size that the settings allow',
  shrunken: 'the backup is smaller than the last good one by more than the settings allow',
  checksum_missing: 'the settings expect a SHA-256, and the ping named none',
};

/** Returns why a job opens an incident. */
export function failingDecision(
  job: BackupJobDocument,
  problem: JobProblem,
  due: MergedRules<MissedRule>,
  nowMs: number,
): BackupDecisionRecord {
  const { _id: id, name, version, type, severity } = due.leading;
  const { schedule, grace_seconds, max_run_seconds, min_size_bytes, max_shrink_percent, last_good } = job;
  return {
    rule: { id, name, version, type, severity },
    other_rules: otherRules(due),
    problem: problem.type,
    ...{ schedule, grace_seconds, max_run_seconds, min_size_bytes, max_shrink_percent },
    run: problem.run,
    compared_bytes: problem.compared_bytes,
    last_good_at_ms: last_good?.at_ms ?? null,
    reason: REASONS[problem.type],
    times: {
      failing_since_ms: problem.since_ms,
      evaluated_at_ms: nowMs,
      opened_at_ms: null,
      recovered_at_ms: null,
    },
  };
}

/** Returns the decision at the end: that of the opening, with the good run. null if no good run is known. */
export function recoveredDecision(
  decision: BackupDecisionRecord,
  { last_run, last_good }: BackupJobDocument,
): BackupDecisionRecord | null {
  if (last_run === null || last_good === null) return null;
  return {
    ...decision,
    problem: null,
    run: last_run,
    last_good_at_ms: last_good.at_ms,
    reason: 'the next run was good',
    times: {
      ...decision.times,
      evaluated_at_ms: last_good.at_ms,
      opened_at_ms: null,
      recovered_at_ms: last_good.at_ms,
    },
  };
}
