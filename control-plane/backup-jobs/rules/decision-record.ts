import type { SharedDecision } from '../../alert-rules/documents.js';
import type { IncidentDecision } from '../../incidents/documents.js';
import type { JobSettings, LastRun, Problem } from '../documents.js';

/** Why a backup job opened an incident, or why the incident was resolved. */
export interface BackupDecisionRecord extends SharedDecision {
  rule: SharedDecision['rule'] & { type: 'backup_missed' };
  /** null at the end: then the run is the good one. */
  problem: Problem | null;
  /** As it was then. */
  schedule: JobSettings['schedule'];
  grace_seconds: number;
  max_run_seconds: number;
  min_size_bytes: number | null;
  max_shrink_percent: number | null;
  run: LastRun;
  /** The size that a shrunken backup was compared with. */
  compared_bytes: number | null;
  last_good_at_ms: number | null;
  times: SharedDecision['times'] & {
    failing_since_ms: number;
    evaluated_at_ms: number;
  };
}

/** Whether the decision is one of a backup job. */
export function isBackupDecision(decision: IncidentDecision): decision is BackupDecisionRecord {
  return 'max_run_seconds' in decision;
}
