import { strict as assert } from 'node:assert';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { ResolveIncident } from '../../incidents/incidents.js';
import type { BlacklistMonitorDocument, CheckDocument } from '../documents.js';
import { endedDecision } from './decision.js';
import { isListingDecision } from './decision-record.js';
import { listingMessages } from './messages.js';

/** Returns how the incident of a listing is resolved that is no longer among the monitor's alerting listings. */
export function endOf(
  incident: IncidentDocument,
  monitor: BlacklistMonitorDocument,
  check: CheckDocument | null,
  nowMs: number,
): ResolveIncident {
  const { decision, workspace_id: workspaceId, subject, started_at_ms: startedAtMs } = incident;
  assert(decision !== null && isListingDecision(decision), `${subject} has no decision record of a listing`);
  const { listing } = decision;
  const policy = monitor.listings.find(({ provider }) => provider === listing.provider);
  if (policy !== undefined) {
    const answer = { ...policy, status: 'listed' as const };
    return {
      ...{ workspaceId, subject },
      resolution: 'policy_only',
      message: listingMessages.policyOnly({ target: monitor.target, ...policy }),
      recovery: endedDecision(
        decision,
        answer,
        'two consecutive lookups agree that only a policy listing remains',
        policy.seen_at_ms,
      ),
    };
  }
  const change = check?.changes.find(({ provider }) => provider === listing.provider);
  const results = check?.results ?? monitor.results;
  const result = results.find(({ provider }) => provider === listing.provider);
  // Without a change, the listing ended by two lookups, unless Picket no longer queries the list: then there is no result.
  if (change === undefined ? result === undefined : change.kind === 'dropped') {
    return {
      ...{ workspaceId, subject },
      resolution: 'gone',
      message: listingMessages.dropped(listing),
      recovery: null,
    };
  }
  const atMs = check?.checked_at_ms ?? monitor.last?.checked_at_ms ?? nowMs;
  return {
    ...{ workspaceId, subject },
    resolution: 'recovered',
    message: listingMessages.delisted({ ...listing, startedAtMs, atMs: nowMs }),
    recovery:
      result?.status === 'clean'
        ? endedDecision(decision, result, 'two consecutive lookups agree that the target is no longer listed', atMs)
        : null,
  };
}
