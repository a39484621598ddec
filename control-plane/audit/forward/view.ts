import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { hasRight } from '../../http/access.js';
import type { ForwardedEntries } from './delivery/entries-store.js';
import type { ForwarderDocument } from './documents.js';
import { type Forwarder, LAG_EVENTS_MAX } from './schema.js';
import { shownTarget } from './target.js';

/** Returns a forwarder as the API shows it to the actor, after reading its lag. */
export async function viewForwarder(
  entries: ForwardedEntries,
  actor: Actor,
  forwarder: ForwarderDocument,
  nowMs: number,
): Promise<Forwarder> {
  const { workspace_id, cursor, severities } = forwarder;
  const waiting = await entries.waiting(workspace_id, cursor.id, severities, LAG_EVENTS_MAX);
  const shown = forwarderView(forwarder, waiting, nowMs);
  return hasRight(actor, 'manage') ? shown : { ...shown, target: shownTarget(shown.target) };
}

/** Returns a forwarder as those see it who may change it. */
export function forwarderView(
  forwarder: ForwarderDocument,
  waiting: { events: number; firstMs: number | null },
  nowMs: number,
): Forwarder {
  const { cursor, failures, severities } = forwarder;
  const paused = forwarder.paused_at_ms !== null;
  const isFailing = !paused && failures > 0;
  const seconds = waiting.firstMs === null ? 0 : Math.max(0, Math.floor((nowMs - waiting.firstMs) / 1_000));
  return {
    id: forwarder._id,
    type: forwarder.type,
    name: forwarder.name,
    target: forwarder.target,
    format: forwarder.format,
    filter: severities === null ? {} : { severity: severities },
    auth_set: forwarder.auth_set,
    ca: forwarder.ca,
    state: paused ? 'paused' : isFailing ? 'failing' : 'active',
    paused,
    paused_at: isoOrNull(forwarder.paused_at_ms),
    lag: { events: waiting.events, seconds },
    // After a back-fill with `from`, the id is only a position: an entry with it may not exist.
    cursor: { entry_id: cursor.id === '' ? null : cursor.id, timestamp: isoOrNull(cursor.at_ms) },
    sequence: cursor.sequence,
    delivered: cursor.sequence,
    failures,
    failing_since: isoOrNull(forwarder.failing_since_ms),
    next_attempt_at: isFailing ? isoOrNull(forwarder.next_attempt_ms) : null,
    last_success_at: isoOrNull(forwarder.last_success_at_ms),
    last_error: forwarder.last_error,
    last_error_at: isoOrNull(forwarder.last_error_at_ms),
    created_at: toIso(forwarder.created_at_ms),
    updated_at: toIso(forwarder.updated_at_ms),
  };
}
