import { isDeepStrictEqual } from 'node:util';
import { roundTo } from '../../../kernel/round.js';
import type { Actor } from '../../actor.js';
import { resetVotes } from '../change.js';
import type { MonitorDocument } from '../documents.js';
import type { MonitorNeeds } from '../needs.js';
import { pausing } from '../pause.js';
import { removing } from '../remove.js';
import { resuming } from '../resume.js';
import { masked } from '../settings/masks.js';
import { settingsOf } from '../settings/settings.js';
import { limitedBy, wantedOf } from '../terms/limited.js';
import { restoring } from '../update.js';
import { lastChecked } from '../view.js';
import type { MonitorImage, MonitorOperation, PlannedChange } from './decision.js';

/** Returns what is needed to undo the operation on this monitor. Pure. */
export function imageOf(monitor: MonitorDocument, { type }: MonitorOperation): MonitorImage {
  if (type === 'delete') return { of: 'monitor', monitor };
  if (type === 'pause' || type === 'resume') return { of: 'pause', paused_at_ms: monitor.paused_at_ms };
  const { sealed } = monitor;
  return { of: 'settings', settings: { ...settingsOf(monitor), ...(sealed === undefined ? {} : { sealed }) } };
}

/** Returns the change that gives a monitor back what the image has of it; null when it has that already. */
export function undoing(
  needs: Pick<MonitorNeeds, 'secrets' | 'clock'>,
  actor: Actor,
  monitor: MonitorDocument,
  image: MonitorImage,
): PlannedChange | null {
  const nowMs = needs.clock.now();
  if (image.of === 'created') return removing(actor, monitor);
  if (image.of === 'pause') {
    const { paused_at_ms: pausedAtMs } = image;
    if ((pausedAtMs === null) === (monitor.paused_at_ms === null)) return null;
    return pausedAtMs === null ? resuming(monitor, nowMs) : pausing(actor, monitor, { pausedAtMs, nowMs });
  }
  if (image.of === 'monitor') return null;
  const { sealed: stored = null, ...shown } = image.settings;
  const { url, http } = shown;
  // An earlier version stored secrets in place of the masks.
  const isOpen = image.settings.sealed === undefined;
  const secret = isOpen
    ? { url, http }
    : (needs.secrets.open({ _id: monitor._id, url, http, sealed: stored }) ?? masked({ url, http }));
  const settings = { ...shown, ...secret };
  if (isDeepStrictEqual(settings, needs.secrets.settings(monitor))) return null;
  const sealed = isOpen ? needs.secrets.seal(monitor._id, settings) : { ...shown, sealed: stored };
  return restoring(needs, actor, monitor, settings, sealed);
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
    ...limitedBy(actor.plan, wantedOf(image)),
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
export function revivedEvent({ _id, name, interval_seconds, type }: MonitorDocument) {
  return {
    action: 'monitor.created',
    resource: { type: 'monitor', id: _id, name },
    metadata: { interval_minutes: roundTo(interval_seconds / 60, 4), check_type: type, restored: true },
  } as const;
}
