import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { type AlertRules, type HandlerSweep, hasJoined, type ReadRules } from '../../alert-rules/alert-rules.js';
import type { RuleIncidentHead, RuleIncidents } from '../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { BackupJobDirectory } from '../backup-jobs.js';
import type { BackupJobDocument } from '../documents.js';
import type { BackupIncidents } from './incidents.js';
import { missedType, rulesOf } from './rule-type.js';
import { backupSubject, jobOfSubject } from './subjects.js';

export interface BackupSweepNeeds {
  alertRules: Pick<AlertRules, 'workspacesWith' | 'newestChange'>;
  backupJobs: BackupJobDirectory;
  incidents: Pick<RuleIncidents, 'unresolvedAmong'>;
  backups: BackupIncidents;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

const PAGE_JOBS = 200;
/** Reading all failing jobs is too expensive for each sweep of the alert rules. */
const PERIOD_MS = 60_000;

/** Returns the sweep of backup jobs. It is due when an alert rule has changed since the last one, and once a minute. */
export function createBackupSweep(needs: BackupSweepNeeds): (readRules: ReadRules) => Promise<HandlerSweep | null> {
  const { alertRules, clock } = needs;
  let last = { change: null as string | null, atMs: Number.NEGATIVE_INFINITY };
  return async (readRules) => {
    const current = { change: await alertRules.newestChange(), atMs: clock.monotonic() };
    if (current.change === last.change && current.atMs - last.atMs < PERIOD_MS) return null;
    return {
      openMissing: (stillHeld) => openMissing(needs, readRules, stillHeld),
      resolveEnded: (workspaceId, incidents) => resolveEnded(needs, workspaceId, incidents),
      completed() {
        last = current;
      },
    };
  };
}

/** Opens incidents for jobs that fail for longer than their rule exists, and after a grace period. */
async function openMissing(
  needs: BackupSweepNeeds,
  readRules: ReadRules,
  stillHeld: () => Promise<boolean>,
): Promise<boolean> {
  const workspaces = new Set(await needs.alertRules.workspacesWith(missedType.type));
  if (workspaces.size === 0) return true;
  let after: string | null = null;
  for (;;) {
    const page: BackupJobDocument[] = await needs.backupJobs.failing(after, PAGE_JOBS);
    for (const workspaceId of new Set(page.map((job) => job.workspace_id))) {
      if (!workspaces.has(workspaceId)) continue;
      const jobs = page.filter((job) => job.workspace_id === workspaceId);
      for (const job of await incomplete(needs, readRules, workspaceId, jobs)) {
        if (!(await stillHeld())) return false;
        await updateIncident(needs, job);
      }
    }
    after = page.at(-1)?._id ?? null;
    if (page.length < PAGE_JOBS) return true;
  }
}

/** Resolves incidents of jobs that are not failing any more, if the ping that ended it could not. */
async function resolveEnded(
  needs: BackupSweepNeeds,
  workspaceId: string,
  incidents: readonly RuleIncidentHead[],
): Promise<void> {
  const ids = incidents.flatMap(({ subject }) => jobOfSubject(subject) ?? []);
  const jobs = ids.length === 0 ? [] : await needs.backupJobs.findMany(workspaceId, ids);
  for (const job of jobs.filter(({ problem }) => problem === null)) await updateIncident(needs, job);
}

/** Returns the jobs without an incident, or whose incident lacks one of the rules. */
async function incomplete(
  { incidents }: BackupSweepNeeds,
  readRules: ReadRules,
  workspaceId: string,
  jobs: readonly BackupJobDocument[],
): Promise<BackupJobDocument[]> {
  const rules = await readRules(workspaceId);
  const alerting = jobs.filter(({ _id }) => rulesOf(rules, _id).length > 0);
  if (alerting.length === 0) return [];
  const subjects = alerting.map(({ _id }) => backupSubject(_id));
  const open = new Map((await incidents.unresolvedAmong(workspaceId, subjects)).map((one) => [one.subject, one]));
  return alerting.filter(({ _id }) => {
    const known = open.get(backupSubject(_id));
    return known === undefined || !hasJoined(known, rulesOf(rules, _id));
  });
}

async function updateIncident(
  { backupJobs, backups, runTransaction, logger }: BackupSweepNeeds,
  { _id, workspace_id }: BackupJobDocument,
): Promise<void> {
  try {
    await runTransaction(async (tx) => {
      const present = await backupJobs.find(workspace_id, _id, tx);
      if (present !== null) await backups.update(tx, present);
    });
  } catch (err) {
    // A duplicate key means that a ping has just opened the incident.
    if (isDuplicateKey(err)) return;
    logger.warn({ err, job: _id }, 'failed to update the incident of a backup job; the next sweep retries');
  }
}
