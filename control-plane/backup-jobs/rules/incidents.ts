import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { type AlertRules, isInGrace, type MergedRules, mergeRules } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import { type OpenIncident, RESOLVE_GRACE_MS, type RuleIncidents } from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { BackupJobDocument, JobProblem } from '../documents.js';
import { failingDecision, recoveredDecision } from './decision.js';
import { isBackupDecision } from './decision-record.js';
import { backupMessages } from './messages.js';
import { type MissedRule, rulesOf } from './rule-type.js';
import { backupSubject } from './subjects.js';

/** The incidents of backup jobs. */
export interface BackupIncidents {
  /** Opens or resolves the incident of a job, or adds rules to it, so that it matches its problem and the enabled rules. */
  update(tx: Transaction, job: BackupJobDocument): Promise<void>;
}

interface BackupIncidentsNeeds {
  alertRules: Pick<AlertRules, 'enabled' | 'join'>;
  incidents: RuleIncidents;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

export function createBackupIncidents(needs: BackupIncidentsNeeds): BackupIncidents {
  const { alertRules, incidents, clock } = needs;

  /** Whether a person resolved the incident within the grace period, and the job has not run since. */
  async function isMuted({ workspace_id, _id }: BackupJobDocument, problem: JobProblem): Promise<boolean> {
    const latest = await incidents.latest(workspace_id, backupSubject(_id));
    if (!isInGrace(latest, RESOLVE_GRACE_MS, clock.now())) return false;
    return problem.run.at_ms <= (latest?.resolved_at_ms ?? 0);
  }

  return {
    async update(tx, job) {
      const { workspace_id: workspaceId, _id, problem } = job;
      const known = await incidents.unresolved(workspaceId, backupSubject(_id), tx);
      if (problem === null) {
        if (known !== null)
          await incidents.resolveAll(tx, [{ ...endOf(known, job), actor: needs.systemActor(workspaceId) }]);
        return;
      }
      const rules = rulesOf(await alertRules.enabled(workspaceId, tx), _id);
      const due = mergeRules(rules);
      if (due === null) return;
      if (known !== null) return alertRules.join(tx, known, rules);
      if (await isMuted(job, problem)) return;
      await incidents.open(tx, openingOf(job, problem, due, clock.now()));
    },
  };
}

function endOf(
  { workspace_id: workspaceId, subject, decision, started_at_ms }: IncidentDocument,
  job: BackupJobDocument,
) {
  const atMs = job.last_good?.at_ms ?? started_at_ms;
  return {
    ...{ workspaceId, subject },
    resolution: 'recovered',
    message: backupMessages.recovered(job, started_at_ms, atMs),
    recovery: decision !== null && isBackupDecision(decision) ? recoveredDecision(decision, job) : null,
  };
}

function openingOf(
  job: BackupJobDocument,
  problem: JobProblem,
  due: MergedRules<MissedRule>,
  nowMs: number,
): OpenIncident {
  return {
    workspaceId: job.workspace_id,
    kind: 'backup',
    subject: backupSubject(job._id),
    monitor: null,
    resource: { type: 'backup_job', id: job._id, name: job.name },
    severity: due.severity,
    message: backupMessages.failing(job, problem),
    startedAtMs: problem.since_ms,
    decision: failingDecision(job, problem, due, nowMs),
    channels: due.channels,
    runbookUrl: null,
    tags: job.tags,
  };
}
