import { strict as assert } from 'node:assert';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { type AlertRules, type MergedRules, mergeRules } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { OpenIncident, ResolveIncident, RuleIncidents } from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { CheckTrouble, SiteDocument } from '../documents.js';
import { failedDecision, passedDecision } from './decision.js';
import { isWordpressDecision } from './decision-record.js';
import { wordpressMessages } from './messages.js';
import { type CheckFailedRule, enabledRules } from './rule-type.js';
import { checkSubject, checkSubjects } from './subjects.js';

/** The incidents of the checks of a site. */
export interface CheckIncidents {
  /** Opens and resolves incidents, and adds rules to them, so that they match the site's trouble and the enabled rules. */
  update(tx: Transaction, site: SiteDocument): Promise<void>;
}

interface CheckIncidentsNeeds {
  alertRules: Pick<AlertRules, 'enabled' | 'join'>;
  incidents: RuleIncidents;
  systemActor(workspaceId: string): Actor;
  /** Of the dashboard, without a slash at the end. */
  publicUrl: string;
  clock: Clock;
}

export function createCheckIncidents(needs: CheckIncidentsNeeds): CheckIncidents {
  const { alertRules, incidents, clock } = needs;

  /** A person who resolves the incident accepts the failure until the check has passed again. */
  async function isAccepted(workspaceId: string, subject: string, sinceMs: number): Promise<boolean> {
    const latest = await incidents.latest(workspaceId, subject);
    return latest?.resolution === 'manual' && (latest.resolved_at_ms ?? 0) >= sinceMs;
  }

  return {
    async update(tx, site) {
      const { workspace_id: workspaceId, troubles = [] } = site;
      // An incident of a disconnected site ends with the connection.
      if (site.secret === null) return;
      const wanted = new Map(troubles.map((trouble) => [checkSubject(site._id, trouble.check), trouble]));
      const open = await incidents.unresolvedWithPrefix(workspaceId, checkSubjects(site._id), tx);
      const actor = needs.systemActor(workspaceId);
      const ended = open.filter(({ subject }) => !wanted.has(subject));
      await incidents.resolveAll(
        tx,
        ended.map((incident) => ({ ...endOf(incident, site, clock.now()), actor })),
      );
      if (wanted.size === 0) return;
      const rules = enabledRules(await alertRules.enabled(workspaceId, tx));
      const due = mergeRules(rules);
      if (due === null) return;
      const known = new Map(open.map((incident) => [incident.subject, incident]));
      const fresh: OpenIncident[] = [];
      for (const [subject, trouble] of wanted) {
        const incident = known.get(subject);
        if (incident !== undefined) await alertRules.join(tx, incident, rules);
        else if (!(await isAccepted(workspaceId, subject, trouble.since_ms))) {
          fresh.push(openingOf(needs, site, trouble, due));
        }
      }
      await incidents.openAll(tx, fresh);
    },
  };
}

function openingOf(
  { publicUrl, clock }: Pick<CheckIncidentsNeeds, 'publicUrl' | 'clock'>,
  site: SiteDocument,
  trouble: CheckTrouble,
  due: MergedRules<CheckFailedRule>,
): OpenIncident {
  return {
    workspaceId: site.workspace_id,
    kind: 'wordpress',
    subject: checkSubject(site._id, trouble.check),
    monitor: null,
    resource: { type: 'site', id: site._id, name: site.name },
    severity: due.severity,
    message: wordpressMessages.failed(site, trouble),
    startedAtMs: trouble.since_ms,
    decision: failedDecision(site, trouble, due, clock.now()),
    channels: due.channels,
    runbookUrl: `${publicUrl}/wordpress/${site._id}`,
    tags: [],
  };
}

function endOf(incident: IncidentDocument, site: SiteDocument, nowMs: number): ResolveIncident {
  const { decision, workspace_id: workspaceId, subject, started_at_ms: startedAtMs } = incident;
  assert(decision !== null && isWordpressDecision(decision), `${subject} has no decision record of a WordPress site`);
  const { check } = decision.wordpress;
  // A check whose fix was undone has not passed; Picket only waits for it to pass again.
  if ((site.watches?.[check]?.passed_at_ms ?? null) === null) {
    const message = wordpressMessages.undone(site, check);
    return { workspaceId, subject, resolution: 'undone', message, recovery: null };
  }
  return {
    workspaceId,
    subject,
    resolution: 'recovered',
    message: wordpressMessages.passed(site, check, nowMs - startedAtMs),
    recovery: passedDecision(decision, site, check, nowMs),
  };
}
