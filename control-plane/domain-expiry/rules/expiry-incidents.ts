import { strict as assert } from 'node:assert';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { type AlertRules, type MergedRules, mergeRules } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { OpenIncident, OutageIncidents, RuleIncidents } from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MonitoredDomainDocument } from '../documents.js';
import { expiringDecision, renewedDecision } from './decision.js';
import { isDomainDecision } from './decision-record.js';
import { domainMessages } from './messages.js';
import { type DomainExpiringRule, enabledRules } from './rule-type.js';
import { CRITICAL_STAGE, type Stage, severityOf, stageOfMonitored } from './stage.js';
import { expirySubject, expirySubjects } from './subjects.js';

/** Registries move the time of an expiry a little. A renewal is of months at least. */
const SAME_EXPIRY_MS = 2 * 86_400_000;

/** The incidents of a domain: one of the stage that it has reached. */
export interface ExpiryIncidents {
  /**
   * Opens, replaces or resolves the incident, or adds rules to it, so that it matches the time that the registration has left and
   * the enabled rules. The incident of the previous stage sends no notification of its end: the new one sends its own.
   */
  update(tx: Transaction, domain: MonitoredDomainDocument): Promise<void>;
}

export interface ExpiryIncidentsNeeds {
  alertRules: Pick<AlertRules, 'enabled' | 'join'>;
  incidents: RuleIncidents & Pick<OutageIncidents, 'supersede'>;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

export function createExpiryIncidents(needs: ExpiryIncidentsNeeds): ExpiryIncidents {
  const { alertRules, incidents, clock } = needs;

  /**
   * A person who resolves the incident accepts this stage, and one who pauses the last monitor of the domain has got its alert:
   * only the next one opens another incident. The last stage has none after it, so it opens again after a pause.
   */
  async function isAccepted({ workspace_id, registration }: MonitoredDomainDocument, subject: string, stage: Stage) {
    const latest = await incidents.latest(workspace_id, subject);
    if (latest === null || latest.decision === null || !isDomainDecision(latest.decision)) return false;
    const isPaused = latest.resolution === 'deleted' && stage !== CRITICAL_STAGE;
    if (latest.resolution !== 'manual' && !isPaused) return false;
    const [acceptedMs, nowMs] = [latest.decision.registration.expires_at_ms, registration.expires_at_ms];
    if (acceptedMs === null || nowMs === null) return acceptedMs === nowMs;
    return Math.abs(acceptedMs - nowMs) <= SAME_EXPIRY_MS;
  }

  return {
    async update(tx, domain) {
      const { workspace_id: workspaceId, name } = domain;
      const nowMs = clock.now();
      const stage = stageOfMonitored(domain, nowMs);
      const open = await incidents.unresolvedWithPrefix(workspaceId, expirySubjects(name), tx);
      if (stage === null) {
        // The registry added a year by itself, whether anybody paid or not.
        if (domain.registration.phase === 'auto_renewed' && !domain.is_of_others) return;
        const actor = needs.systemActor(workspaceId);
        await incidents.resolveAll(
          tx,
          open.map((incident) => ({ ...endOf(incident, domain, nowMs), actor })),
        );
        return;
      }
      const rules = enabledRules(await alertRules.enabled(workspaceId, tx));
      const due = mergeRules(rules);
      if (due === null) return;
      const subject = expirySubject(name, stage);
      const earlier = open.filter((incident) => incident.subject !== subject);
      if (earlier.length > 0) await incidents.supersede(tx, earlier);
      const known = open.find((incident) => incident.subject === subject);
      if (known !== undefined) return alertRules.join(tx, known, rules);
      if (await isAccepted(domain, subject, stage)) return;
      await incidents.openAll(tx, [openingOf(domain, stage, due, nowMs)]);
    },
  };
}

function openingOf(
  domain: MonitoredDomainDocument,
  stage: Stage,
  due: MergedRules<DomainExpiringRule>,
  nowMs: number,
): OpenIncident {
  const { _id: id, workspace_id: workspaceId, name, registration } = domain;
  return {
    ...{ workspaceId, kind: 'domain', subject: expirySubject(name, stage), monitor: null },
    resource: { type: 'domain', id, name },
    severity: severityOf(stage, due.severity),
    message: domainMessages.expiring({ name, ...registration }, nowMs),
    startedAtMs: nowMs,
    decision: expiringDecision(domain, stage, due, nowMs),
    ...{ channels: due.channels, runbookUrl: null, tags: [] },
  };
}

function endOf(
  { decision, workspace_id: workspaceId, subject }: IncidentDocument,
  domain: MonitoredDomainDocument,
  nowMs: number,
) {
  assert(decision !== null && isDomainDecision(decision), `${subject} has no decision record of a domain`);
  return {
    ...{ workspaceId, subject, resolution: resolutionOf(domain) },
    message: domainMessages.renewed({ name: domain.name, ...domain.registration }),
    recovery: renewedDecision(decision, domain, nowMs),
  };
}

function resolutionOf({ registration, is_of_others }: MonitoredDomainDocument): string {
  if (is_of_others) return 'deleted';
  return registration.expires_at_ms === null ? 'not_told' : 'recovered';
}
