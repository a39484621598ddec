import { isDeepStrictEqual } from 'node:util';
import { roundTo } from '../../../kernel/round.js';
import type { Actor } from '../../actor.js';
import { resetVotes, rulesFor } from '../change.js';
import type { MonitorDocument } from '../documents.js';
import type { MonitorNeeds } from '../needs.js';
import { pausing } from '../pause.js';
import { removing } from '../remove.js';
import { resuming } from '../resume.js';
import { settingsErrors } from '../settings/validate.js';
import { limitedBy, wantedOf } from '../terms/limited.js';
import { updating } from '../update.js';
import { lastChecked } from '../view.js';
import type { MonitorImage, UndoDecision } from './decision.js';
import { withImage } from './settings-image.js';

/** Returns the image of a monitor that is deleted. Its votes are left out: they end with the deletion. Pure. */
export function deletedImage(monitor: MonitorDocument): MonitorImage {
  return {
    of: 'monitor',
    monitor: { ...monitor, live: {}, good: {}, last_checked_at_ms: lastChecked(monitor) },
  };
}

type UndoNeeds = Pick<MonitorNeeds, 'secrets' | 'clock' | 'locations' | 'guard'>;

const UNCHANGED: UndoDecision = { kind: 'changed', planned: null };

/** Returns the change that gives a monitor back what the image has of it; without a plan when it has that already. */
export function undoing(
  needs: UndoNeeds,
  actor: Actor,
  monitor: MonitorDocument,
  image: MonitorImage,
  version: number | null,
): UndoDecision {
  const nowMs = needs.clock.now();
  if (image.of === 'created') return { kind: 'changed', planned: removing(actor, monitor) };
  if (image.of === 'pause') {
    const { paused_at_ms: pausedAtMs } = image;
    if ((pausedAtMs === null) === (monitor.paused_at_ms === null)) return UNCHANGED;
    const planned = pausedAtMs === null ? resuming(monitor, nowMs) : pausing(actor, monitor, { pausedAtMs, nowMs });
    return { kind: 'changed', planned };
  }
  if (image.of === 'monitor') return UNCHANGED;
  const current = needs.secrets.settings(monitor);
  const settings = withImage(needs.secrets, monitor, current, image);
  if (settings === null) {
    const reason = 'The secrets that it had cannot be decrypted.';
    return { kind: 'refused', reason, error: { path: '', message: reason, code: 'secrets_lost' } };
  }
  if (isDeepStrictEqual(settings, current)) return UNCHANGED;
  const errors = settingsErrors(settings, rulesFor(needs, actor));
  const removed = errors.find(({ code }) => code === 'unknown_location');
  if (removed !== undefined) {
    return { kind: 'refused', reason: 'It was checked from a location that was deleted.', error: removed };
  }
  // Together with what somebody has changed since, the restored fields can make no sense.
  const [error] = monitor.version === version ? [] : errors;
  if (error !== undefined) {
    return { kind: 'refused', reason: `It was changed since: ${error.path} ${error.message}.`, error };
  }
  return { kind: 'changed', planned: updating(needs, actor, monitor, settings) };
}

/**
 * Returns a deleted monitor as it is created again: with its id, settings and history. Results of checks before the
 * deletion no longer vote, as after a pause. Pure.
 */
export function revived(image: MonitorDocument, actor: Actor, nowMs: number): MonitorDocument {
  const version = image.version + 1;
  const isActive = image.paused_at_ms === null;
  return {
    ...image,
    ...limitedBy(actor.plan, wantedOf(image), image),
    updated_at_ms: nowMs,
    version,
    live_from_version: version,
    live: {},
    good: {},
    last_checked_at_ms: lastChecked(image),
    state: { ...resetVotes({ ...image.state, incident: null }, isActive), revision: image.state.revision + 1 },
  };
}

/** Returns the audit event of a monitor that was created again. Pure. */
export function revivedEvent(
  { _id, name, interval_seconds, type }: MonitorDocument,
  removedChannels: readonly string[],
) {
  const removed = removedChannels.length === 0 ? {} : { removed_channels: removedChannels };
  return {
    action: 'monitor.created',
    resource: { type: 'monitor', id: _id, name },
    metadata: { interval_minutes: roundTo(interval_seconds / 60, 4), check_type: type, restored: true, ...removed },
  } as const;
}
