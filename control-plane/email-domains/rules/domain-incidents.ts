import { strict as assert } from 'node:assert';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { type AlertRules, mergeRules } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { EmailDomainDocument } from '../documents.js';
import { endedDecision, fellDecision } from './decision.js';
import { isEmailDecision } from './decision-record.js';
import { emailMessages } from './messages.js';
import { enabledRules } from './rule-type.js';
import { domainSubject } from './subjects.js';

/** The incident of a domain. */
export interface DomainIncidents {
  /** Opens or resolves the incident, or adds rules to it, so that it matches the domain's trouble and the enabled rules. */
  update(tx: Transaction, domain: EmailDomainDocument): Promise<void>;
}

interface DomainIncidentsNeeds {
  alertRules: Pick<AlertRules, 'enabled' | 'join'>;
  incidents: RuleIncidents;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

export function createDomainIncidents(needs: DomainIncidentsNeeds): DomainIncidents {
  const { alertRules, incidents, clock } = needs;

  /** A person who resolves the incident accepts this fall: only the next one opens another incident. */
  async function isAccepted(workspaceId: string, subject: string, sinceMs: number): Promise<boolean> {
    const latest = await incidents.latest(workspaceId, subject);
    return latest?.resolution === 'manual' && (latest.resolved_at_ms ?? 0) >= sinceMs;
  }

  return {
    async update(tx, domain) {
      const { workspace_id: workspaceId, trouble } = domain;
      const subject = domainSubject(domain._id);
      const found = await incidents.unresolvedWithPrefix(workspaceId, subject, tx);
      const open = found.find((incident) => incident.subject === subject) ?? null;
      if (trouble === null) {
        if (open === null) return;
        const actor = needs.systemActor(workspaceId);
        await incidents.resolveAll(tx, [{ ...endOf(open, domain, clock.now()), actor }]);
        return;
      }
      const rules = enabledRules(await alertRules.enabled(workspaceId, tx));
      const due = mergeRules(rules);
      if (due === null) return;
      if (open !== null) {
        await alertRules.join(tx, open, rules);
        return;
      }
      if (await isAccepted(workspaceId, subject, trouble.since_ms)) return;
      const decision = fellDecision(domain, trouble, due, clock.now());
      await incidents.openAll(tx, [
        {
          workspaceId,
          kind: 'email',
          subject,
          monitor: null,
          resource: { type: 'email_domain', id: domain._id, name: domain.name },
          severity: due.severity,
          message: emailMessages.fell(decision.email),
          startedAtMs: trouble.since_ms,
          decision,
          channels: due.channels,
          runbookUrl: null,
          tags: [],
        },
      ]);
    },
  };
}

function endOf(incident: IncidentDocument, domain: EmailDomainDocument, nowMs: number) {
  const { decision, workspace_id: workspaceId, subject, started_at_ms: startedAtMs } = incident;
  assert(decision !== null && isEmailDecision(decision), `${subject} has no decision record of an e-mail domain`);
  const { name, score } = domain;
  return {
    workspaceId,
    subject,
    resolution: 'recovered',
    message: emailMessages.recovered({ domain: name, score, lastedMs: nowMs - startedAtMs }),
    recovery: endedDecision(decision, domain, nowMs),
  };
}
