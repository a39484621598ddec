import { RULE_RESOLUTIONS } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import { type Fact, type IncidentKind, RUNBOOK_LABEL } from '../../incidents/kind.js';
import { bytes, utc } from '../../wording.js';
import type { Problem } from '../documents.js';
import { type BackupDecisionRecord, isBackupDecision } from './decision-record.js';
import { BackupDecision } from './decision-schema.js';
import { backupDecisionView } from './decision-view.js';
import { BACKUP_INCIDENT_EXAMPLE } from './incident-example.js';

const STATES: Readonly<Record<Problem, string>> = {
  missed: 'BACKUP MISSED',
  failed: 'BACKUP FAILED',
  not_ended: 'BACKUP DID NOT END',
  size_missing: 'BACKUP WITHOUT SIZE',
  too_small: 'BACKUP TOO SMALL',
  shrunken: 'BACKUP SHRUNKEN',
  checksum_missing: 'BACKUP WITHOUT CHECKSUM',
};

/** An incident of a backup job. */
export const backupKind: IncidentKind = {
  kind: 'backup',
  description: 'a backup job that was missed, failed, or made a backup that is not what its settings expect',
  started: 'time of the first run that was not good, or at which its absence was noticed',
  byAlertRules: true,
  decision: {
    schema: BackupDecision,
    view: (decision, sent) => (isBackupDecision(decision) ? backupDecisionView(decision, sent) : null),
  },
  examples: [BACKUP_INCIDENT_EXAMPLE],
  state(incident) {
    const problem = decisionOf(incident)?.problem ?? null;
    return { opened: problem === null ? 'BACKUP FAILED' : STATES[problem], lasting: 'STILL WITHOUT A GOOD BACKUP' };
  },
  name: ({ resource }) => resource.name,
  recoveredTitle: ({ resource }, lasted) => `BACKUP GOOD AGAIN: ${resource.name} (was failing ${lasted})`,
  subjectFacts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? [] : jobFacts(decision);
  },
  evidenceFacts(incident) {
    const decision = decisionOf(incident);
    if (decision === null) return [];
    const { run, last_good_at_ms } = decision;
    return [
      ...(run.exit_code === null ? [] : [{ label: 'Exit code', value: String(run.exit_code) }]),
      ...(run.size_bytes === null ? [] : [{ label: 'Size', value: bytes(run.size_bytes) }]),
      { label: 'Last good run', value: last_good_at_ms === null ? 'none' : utc(last_good_at_ms) },
    ];
  },
  facts: () => null,
  votes: () => [],
  resolutions: {
    ...RULE_RESOLUTIONS,
    recovered: 'the next run was good',
    deleted: 'the backup job was deleted',
    disabled: 'the backup job was disabled',
  },
  runbookLabel: RUNBOOK_LABEL,
};

function decisionOf({ decision }: IncidentDocument): BackupDecisionRecord | null {
  return decision !== null && isBackupDecision(decision) ? decision : null;
}

function jobFacts({ schedule, rule, other_rules }: BackupDecisionRecord): Fact[] {
  return [
    { label: 'Schedule', value: `${schedule.cron} (${schedule.time_zone})` },
    {
      label: other_rules.length === 0 ? 'Rule' : 'Rules',
      value: [rule, ...other_rules].map(({ name }) => name).join(', '),
    },
  ];
}
