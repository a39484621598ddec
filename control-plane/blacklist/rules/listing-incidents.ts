import { strict as assert } from 'node:assert';
import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { listingSubject, listingSubjects } from '../../alert-rules/alert-rules.js';
import { otherRules } from '../../alert-rules/decision.js';
import { isInGrace, joinIncident } from '../../alert-rules/join.js';
import { isForMonitor, type Merged, merged } from '../../alert-rules/matching.js';
import type { AlertRuleStore } from '../../alert-rules/store.js';
import { type IncidentDocument, isOfListing, type ListingDecisionRecord } from '../../incidents/documents.js';
import {
  type ListingMessages,
  type OpenIncident,
  RESOLVE_GRACE_MS,
  type ResolveIncident,
  type RuleIncidents,
  type ServerMessages,
} from '../../incidents/incidents.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ListResult } from '../blacklist.js';
import type { BlacklistMonitorDocument, CheckDocument, Listing } from '../documents.js';

/** What rules of the type `blacklist_listed` do to the incidents of a monitor's listings. */
export interface ListingIncidents {
  /**
   * Opens incidents, ends them and puts rules on them, as the monitor's listings and the enabled rules want it now.
   * `check` is the one that is being noted; null when it is not known which check made it so.
   */
  settle(tx: Transaction, monitor: BlacklistMonitorDocument, check: CheckDocument | null): Promise<void>;
}

interface ListingIncidentDependencies {
  store: Pick<AlertRuleStore, 'enabled'>;
  incidents: RuleIncidents;
  messages: Pick<ServerMessages, 'joined'>;
  listingMessages: ListingMessages;
  systemActor(workspaceId: string): Actor;
  clock: Clock;
}

/** Listings that somebody is told of. A policy is no report of abuse. */
export function alerting({ listings }: Pick<BlacklistMonitorDocument, 'listings'>): Listing[] {
  return listings.filter(({ policy }) => !policy);
}

export function createListingIncidents(deps: ListingIncidentDependencies): ListingIncidents {
  const { store, incidents, clock } = deps;
  const endOf = createEnd(deps);
  const openingOf = createOpening(deps);

  /** Somebody resolved it by hand, and it has been listed without a break since. */
  async function isMuted(workspaceId: string, subject: string, listing: Listing): Promise<boolean> {
    const latest = await incidents.latest(workspaceId, subject);
    if (!isInGrace(latest, RESOLVE_GRACE_MS, clock.now())) return false;
    return listing.listed_since_ms <= (latest?.resolved_at_ms ?? 0);
  }

  return {
    async settle(tx, monitor, check) {
      const { workspace_id: workspaceId, _id: monitorId } = monitor;
      const listings = new Map(alerting(monitor).map((one) => [listingSubject(monitorId, one.provider), one]));
      const open = await incidents.unresolvedUnder(workspaceId, listingSubjects(monitorId), tx);
      const actor = deps.systemActor(workspaceId);
      const over = open.filter(({ subject }) => !listings.has(subject));
      await incidents.resolveAll(
        tx,
        over.map((incident) => ({ ...endOf(incident, monitor, check), actor })),
      );
      if (listings.size === 0) return;
      const rules = (await store.enabled(workspaceId, tx)).filter((rule) => isForMonitor(rule, monitorId));
      const due = merged(rules);
      if (due === null) return;
      const known = new Map(open.map((incident) => [incident.subject, incident]));
      const fresh: OpenIncident[] = [];
      for (const [subject, listing] of listings) {
        const incident = known.get(subject);
        if (incident !== undefined) await joinIncident(deps, tx, incident, rules);
        else if (!(await isMuted(workspaceId, subject, listing))) fresh.push(openingOf(monitor, listing, due));
      }
      await incidents.openAll(tx, fresh);
    },
  };
}

function createOpening({ listingMessages, clock }: ListingIncidentDependencies) {
  return (monitor: BlacklistMonitorDocument, listing: Listing, due: Merged): OpenIncident => {
    const { _id, workspace_id, target } = monitor;
    return {
      workspaceId: workspace_id,
      kind: 'blacklist',
      subject: listingSubject(_id, listing.provider),
      monitor: null,
      resource: { type: 'blacklist_monitor', id: _id, name: target },
      severity: due.severity,
      message: listingMessages.listed({ target, ...listing }),
      startedAtMs: listing.listed_since_ms,
      decision: decisionOf(target, listing, due, clock.now()),
      channels: due.channels,
      runbookUrl: listing.delist_url,
      silent: false,
    };
  };
}

/** Why an incident ends whose list is none of those that the monitor is told to be on. */
function createEnd({ listingMessages, clock }: ListingIncidentDependencies) {
  return (
    incident: IncidentDocument,
    monitor: BlacklistMonitorDocument,
    check: CheckDocument | null,
  ): ResolveIncident => {
    const { decision, workspace_id: workspaceId, subject, started_at_ms: startedAtMs } = incident;
    assert(decision !== null && isOfListing(decision), `${subject} was made by a listing`);
    const { listing } = decision;
    const ended = { workspaceId, subject };
    const policy = monitor.listings.find(({ provider }) => provider === listing.provider);
    if (policy !== undefined) {
      const answer = { ...policy, status: 'listed' as const };
      return {
        ...ended,
        resolution: 'policy_only',
        message: listingMessages.policyOnly({ target: monitor.target, ...policy }),
        recovery: recoveryOf(decision, answer, 'two look-ups agree that only a policy is left', policy.seen_at_ms),
      };
    }
    const change = check?.changes.find(({ provider }) => provider === listing.provider);
    const results = check?.results ?? monitor.results;
    const result = results.find(({ provider }) => provider === listing.provider);
    // A listing goes by two answers, or because the list is not asked any more; then there is no result of it either.
    if (change === undefined ? result === undefined : change.kind === 'dropped') {
      return { ...ended, resolution: 'gone', message: listingMessages.dropped(listing), recovery: null };
    }
    const nowMs = clock.now();
    const atMs = check?.checked_at_ms ?? monitor.last?.checked_at_ms ?? nowMs;
    return {
      ...ended,
      resolution: 'recovered',
      message: listingMessages.delisted({ ...listing, startedAtMs, atMs: nowMs }),
      recovery:
        result?.status === 'clean'
          ? recoveryOf(decision, result, 'two look-ups agree that the list no longer has it', atMs)
          : null,
    };
  };
}

function decisionOf(target: string, listing: Listing, due: Merged, nowMs: number): ListingDecisionRecord {
  const { _id: id, name, version, severity } = due.leading;
  const { provider, provider_name, zone, addresses, codes, meanings, policy, reason, delist_url } = listing;
  const { listed_since_ms, evidence } = listing;
  return {
    rule: { id, name, version, type: 'blacklist_listed', severity },
    other_rules: otherRules(due),
    listing: {
      ...{ provider, provider_name, zone, target, addresses, codes, meanings, policy, reason, delist_url },
      first: evidence.first,
      confirmed: evidence.confirmed,
      tested: evidence.tested,
    },
    answer: null,
    reason: evidence.tested
      ? 'two look-ups agree, and the list passed its own tests beside the second'
      : 'two look-ups agree; whether the list works could not be found out',
    times: { listed_since_ms, evaluated_at_ms: nowMs, opened_at_ms: null, recovered_at_ms: null },
  };
}

/** The decision of the opening with what the list answered at the end. */
function recoveryOf(
  decision: ListingDecisionRecord,
  { status, codes, policy, reason: says }: Pick<ListResult, 'status' | 'codes' | 'policy' | 'reason'>,
  reason: string,
  atMs: number,
): ListingDecisionRecord {
  return {
    ...decision,
    answer: { at_ms: atMs, status, codes, policy, reason: says },
    reason,
    times: { ...decision.times, evaluated_at_ms: atMs, opened_at_ms: null, recovered_at_ms: atMs },
  };
}
