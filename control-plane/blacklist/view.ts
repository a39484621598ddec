import { toIso } from '../../kernel/clock.js';
import type { BlacklistMonitorDocument, CheckDocument, Listing, ListingChange } from './documents.js';
import type { InstantCheckView } from './instant-check/schema.js';
import type { NamedList } from './monitoring/listings.js';
import type { CheckFigures, ListResult, NotQueried, TargetCheck } from './results.js';
import type { BlacklistCheck, BlacklistMonitor } from './schema.js';
import type { MonitorStatus } from './store.js';

type Lists = ReadonlyMap<string, Pick<NamedList, 'name'>>;

const NOT_CHECKED = { score: null, rating: null, listed: null, clean: null, responding: null, asked: null };

/** Returns a monitor as the API shows it. `lists` is by id, for the names of the lists. */
export function monitorView(monitor: BlacklistMonitorDocument, lists: Lists): BlacklistMonitor {
  const { last } = monitor;
  return {
    id: monitor._id,
    target: monitor.target,
    type: monitor.type,
    frequency: monitor.frequency,
    status: statusOf(monitor),
    ...(last === null ? NOT_CHECKED : figures(last)),
    listings: monitor.listings.map(listingView),
    results: monitor.results.map((result) => resultView(result, lists)),
    not_asked: monitor.not_asked.map((list) => notQueriedView(list, lists)),
    last_checked_at: last === null ? null : toIso(last.checked_at_ms),
    next_check_at: toIso(monitor.next_at_ms),
    created_at: toIso(monitor.created_at_ms),
    updated_at: toIso(monitor.updated_at_ms),
  };
}

export function checkView(check: CheckDocument, lists: Lists): BlacklistCheck {
  return {
    id: check._id,
    checked_at: toIso(check.checked_at_ms),
    ...figures(check),
    changes: check.changes.map(changeView),
    results: check.results.map((result) => resultView(result, lists)),
  };
}

export function instantCheckView(check: TargetCheck, lists: Lists): InstantCheckView {
  return {
    target: check.target,
    type: check.type,
    ...figures(check),
    results: check.results.map((result) => resultView(result, lists)),
    not_asked: check.not_asked.map((list) => notQueriedView(list, lists)),
    checked_at: toIso(check.checked_at_ms),
  };
}

/** Returns the status as the API shows it. */
export function statusOf({ listings, last }: BlacklistMonitorDocument): MonitorStatus {
  if (listings.some(({ policy }) => !policy)) return 'listed';
  return last !== null && last.responding > 0 && last.rating !== 'unresolvable' ? 'clean' : 'unknown';
}

function figures({ score, rating, listed, clean, responding, asked }: CheckFigures): CheckFigures {
  return { score, rating, listed, clean, responding, asked };
}

/** Returns the name of a list, or its id if it is no longer in the catalogue. */
function nameOf(provider: string, lists: Lists): string {
  return lists.get(provider)?.name ?? provider;
}

function resultView(result: ListResult, lists: Lists) {
  const { provider, status, codes, meanings, policy, reason, response_time_ms, delist_url, addresses } = result;
  return {
    ...{ provider, name: nameOf(provider, lists), status, codes, meanings, policy, reason },
    response_time_ms: response_time_ms === null ? null : Math.round(response_time_ms * 10) / 10,
    delist_url,
    addresses: addresses.map((one) => ({
      address: one.address,
      status: one.status,
      codes: one.codes,
      reason: one.reason,
    })),
  };
}

function notQueriedView({ provider, reason }: NotQueried, lists: Lists) {
  return { provider, name: nameOf(provider, lists), reason };
}

function listingView({ provider, provider_name, zone, listed_since_ms, seen_at_ms, ...listing }: Listing) {
  const { codes, meanings, policy, reason, delist_url, addresses } = listing;
  return {
    ...{ provider, name: provider_name, zone, codes, meanings, policy, reason, delist_url, addresses },
    listed_since: toIso(listed_since_ms),
    seen_at: toIso(seen_at_ms),
  };
}

function changeView({ kind, provider, provider_name, codes, meanings, policy, reason, delist_url }: ListingChange) {
  return { kind, provider, name: provider_name, codes, meanings, policy, reason, delist_url };
}
