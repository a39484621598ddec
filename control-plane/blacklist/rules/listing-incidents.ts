import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { type AlertRules, isInGrace, type MergedRules, mergeRules } from '../../alert-rules/alert-rules.js';
import { type OpenIncident, RESOLVE_GRACE_MS, type RuleIncidents } from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { BlacklistMonitorDocument, CheckDocument, Listing } from '../documents.js';
import { listedDecision } from './decision.js';
import { endOf } from './listing-end.js';
import { listingMessages } from './messages.js';
import { type ListedRule, rulesOf } from './rule-type.js';
import { listingSubject, listingSubjects } from './subjects.js';

/** The incidents of a monitor's listings. */
export interface ListingIncidents {
  /**
   * Opens and resolves incidents, and adds rules to them, so that they match the monitor's listings and the enabled
   * rules. `check` is the check that is being saved; null in a sweep.
   */
  update(tx: Transaction, monitor: BlacklistMonitorDocument, check: CheckDocument | null): Promise<void>;
}

interface ListingIncidentsNeeds {
  alertRules: Pick<AlertRules, 'enabled' | 'join'>;
  incidents: RuleIncidents;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

/** Returns the listings that open incidents: policy listings do not. */
export function alertingListings({ listings }: Pick<BlacklistMonitorDocument, 'listings'>): Listing[] {
  return listings.filter(({ policy }) => !policy);
}

export function createListingIncidents(needs: ListingIncidentsNeeds): ListingIncidents {
  const { alertRules, incidents, clock } = needs;

  /** Whether a user resolved the incident within the grace period, and the target has been listed since. */
  async function isMuted(workspaceId: string, subject: string, listing: Listing): Promise<boolean> {
    const latest = await incidents.latest(workspaceId, subject);
    if (!isInGrace(latest, RESOLVE_GRACE_MS, clock.now())) return false;
    return listing.listed_since_ms <= (latest?.resolved_at_ms ?? 0);
  }

  return {
    async update(tx, monitor, check) {
      const { workspace_id: workspaceId, _id: monitorId } = monitor;
      const listings = new Map(alertingListings(monitor).map((one) => [listingSubject(monitorId, one.provider), one]));
      const open = await incidents.unresolvedWithPrefix(workspaceId, listingSubjects(monitorId), tx);
      const actor = needs.systemActor(workspaceId);
      const ended = open.filter(({ subject }) => !listings.has(subject));
      await incidents.resolveAll(
        tx,
        ended.map((incident) => ({ ...endOf(incident, monitor, check, clock.now()), actor })),
      );
      if (listings.size === 0) return;
      const rules = rulesOf(await alertRules.enabled(workspaceId, tx), monitorId);
      const due = mergeRules(rules);
      if (due === null) return;
      const known = new Map(open.map((incident) => [incident.subject, incident]));
      const fresh: OpenIncident[] = [];
      for (const [subject, listing] of listings) {
        const incident = known.get(subject);
        if (incident !== undefined) await alertRules.join(tx, incident, rules);
        else if (!(await isMuted(workspaceId, subject, listing))) {
          fresh.push(openingOf(monitor, listing, due, clock.now()));
        }
      }
      await incidents.openAll(tx, fresh);
    },
  };
}

function openingOf(
  { _id, workspace_id, target }: BlacklistMonitorDocument,
  listing: Listing,
  due: MergedRules<ListedRule>,
  nowMs: number,
): OpenIncident {
  return {
    workspaceId: workspace_id,
    kind: 'blacklist',
    subject: listingSubject(_id, listing.provider),
    monitor: null,
    resource: { type: 'blacklist_monitor', id: _id, name: target },
    severity: due.severity,
    message: listingMessages.listed({ target, ...listing }),
    startedAtMs: listing.listed_since_ms,
    decision: listedDecision(target, listing, due, nowMs),
    channels: due.channels,
    runbookUrl: listing.delist_url,
    tags: [],
  };
}
