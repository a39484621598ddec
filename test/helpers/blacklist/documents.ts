import type { BlacklistMonitorDocument, CheckDocument, Listing } from '../../../control-plane/blacklist/documents.js';
import type { ListResult } from '../../../control-plane/blacklist/results.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';

const ids = createIds(systemClock, systemRandom);

/** Returns a stored monitor without a check. */
export function monitorOf(options: Partial<BlacklistMonitorDocument> = {}): BlacklistMonitorDocument {
  const nowMs = Date.now();
  return {
    _id: ids.next('blm'),
    workspace_id: 'ws_none',
    target: 'mail.example.com',
    type: 'domain',
    frequency: 'daily',
    next_at_ms: nowMs + 3_600_000,
    listings: [],
    last: null,
    results: [],
    not_asked: [],
    checks: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
    ...options,
  };
}

export function listingOf(options: Partial<Listing> = {}): Listing {
  const evidence = { at_ms: Date.now(), codes: ['127.0.0.2'], reason: null };
  return {
    provider: 'spamhaus-zen',
    provider_name: 'Spamhaus ZEN',
    zone: 'zen.spamhaus.org',
    codes: ['127.0.0.2'],
    meanings: ['SBL'],
    policy: false,
    reason: null,
    delist_url: 'https://check.spamhaus.org/',
    addresses: [],
    listed_since_ms: Date.now(),
    seen_at_ms: Date.now(),
    evidence: { first: evidence, confirmed: evidence, tested: true },
    ...options,
  };
}

export function resultOf(options: Partial<ListResult> = {}): ListResult {
  return {
    provider: 'spamhaus-zen',
    status: 'clean',
    codes: [],
    meanings: [],
    policy: false,
    reason: null,
    response_time_ms: 1.25,
    tested: true,
    delist_url: 'https://check.spamhaus.org/',
    addresses: [],
    ...options,
  };
}

/** Returns a stored check of that monitor with one clean result. */
export function checkOf(monitor: BlacklistMonitorDocument, options: Partial<CheckDocument> = {}): CheckDocument {
  const { checked_at_ms = Date.now() } = options;
  return {
    _id: ids.next('blc'),
    workspace_id: monitor.workspace_id,
    monitor_id: monitor._id,
    checked_at_ms,
    ...{ score: 100, rating: 'excellent', listed: 0, clean: 1, responding: 1, asked: 1 },
    results: [resultOf()],
    changes: [],
    expires_at: new Date(checked_at_ms + 86_400_000),
    ...options,
  };
}
