import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { type AlertRules, type HandlerSweep, hasJoined, type ReadRules } from '../../alert-rules/alert-rules.js';
import type { RuleIncidentHead, RuleIncidents } from '../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction } from '../../storage/transaction.js';
import type { DomainDirectory, TroubledDomain } from '../email-domains.js';
import type { DomainIncidents } from './domain-incidents.js';
import { enabledRules, scoreFellType } from './rule-type.js';
import { domainOfSubject, domainSubject } from './subjects.js';

export interface DomainSweepNeeds {
  alertRules: Pick<AlertRules, 'workspacesWith' | 'newestChange'>;
  domains: DomainDirectory;
  incidents: Pick<RuleIncidents, 'unresolvedAmong'>;
  domainIncidents: DomainIncidents;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

const PAGE_DOMAINS = 200;
/** Reading all domains with trouble is too expensive for each sweep of the alert rules. */
const PERIOD_MS = 60_000;

/** Returns the sweep of e-mail domains. It is due when an alert rule has changed since the last one, and once a minute. */
export function createDomainSweep(needs: DomainSweepNeeds): (readRules: ReadRules) => Promise<HandlerSweep | null> {
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

/** Opens incidents for trouble that is older than its rule. */
async function openMissing(
  needs: DomainSweepNeeds,
  readRules: ReadRules,
  stillHeld: () => Promise<boolean>,
): Promise<boolean> {
  const workspaces = new Set(await needs.alertRules.workspacesWith(scoreFellType.type));
  if (workspaces.size === 0) return true;
  let after: string | null = null;
  for (;;) {
    const page: TroubledDomain[] = await needs.domains.troubled(after, PAGE_DOMAINS);
    for (const domain of page.filter(({ workspace_id }) => workspaces.has(workspace_id))) {
      const rules = enabledRules(await readRules(domain.workspace_id));
      const subject = domainSubject(domain._id);
      const [open] = await needs.incidents.unresolvedAmong(domain.workspace_id, [subject]);
      if (rules.length === 0 || (open !== undefined && hasJoined(open, rules))) continue;
      if (!(await stillHeld())) return false;
      await updateIncident(needs, domain);
    }
    after = page.at(-1)?._id ?? null;
    if (page.length < PAGE_DOMAINS) return true;
  }
}

/** Resolves incidents whose trouble has ended, if the check that found it could not. */
async function resolveEnded(
  needs: DomainSweepNeeds,
  workspaceId: string,
  incidents: readonly RuleIncidentHead[],
): Promise<void> {
  const ids = incidents.flatMap(({ subject }) => domainOfSubject(subject) ?? []);
  const found = ids.length === 0 ? [] : await needs.domains.findMany(workspaceId, ids);
  for (const domain of found) if (domain.trouble === null) await updateIncident(needs, domain);
}

async function updateIncident(
  { domains, domainIncidents, runTransaction, logger }: DomainSweepNeeds,
  { _id, workspace_id }: TroubledDomain,
): Promise<void> {
  try {
    await runTransaction(async (tx) => {
      const present = await domains.find(workspace_id, _id, tx);
      if (present !== null) await domainIncidents.update(tx, present);
    });
  } catch (err) {
    // A duplicate key means that a check of the domain has just opened the incident.
    if (isDuplicateKey(err)) return;
    logger.warn({ err, domain: _id }, 'failed to update the incident of an e-mail domain; the next sweep retries');
  }
}
