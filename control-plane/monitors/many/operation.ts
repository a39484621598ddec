import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.js';
import { rulesFor } from '../change.js';
import type { MonitorDocument } from '../documents.js';
import type { MonitorNeeds } from '../needs.js';
import { pausing } from '../pause.js';
import { removing } from '../remove.js';
import { resuming } from '../resume.js';
import { TAGS_MAX } from '../schema.js';
import { changedSettings } from '../settings/build.js';
import { settingsChanges } from '../settings/changes.js';
import { planRefusal } from '../settings/plan-limits.js';
import type { UpdateMonitor } from '../settings/schema.js';
import { updating } from '../update.js';
import type { MonitorDecision, MonitorOperation } from './decision.js';
import { deletedImage } from './image.js';
import { settingsImage } from './settings-image.js';

const UNCHANGED: MonitorDecision = { kind: 'unchanged' };

/** Returns what the operation means for the monitor. It follows the same rules as a change of this monitor alone. */
export function decide(
  needs: Pick<MonitorNeeds, 'secrets' | 'clock' | 'locations' | 'guard'>,
  actor: Actor,
  monitor: MonitorDocument,
  operation: MonitorOperation,
): MonitorDecision {
  const nowMs = needs.clock.now();
  const isPaused = monitor.paused_at_ms !== null;
  const status = isPaused ? 'paused' : monitor.state.status;
  switch (operation.type) {
    case 'pause':
      if (isPaused) return UNCHANGED;
      return {
        kind: 'changed',
        plan: () => pausing(actor, monitor, { pausedAtMs: nowMs, nowMs }),
        image: () => ({ of: 'pause', paused_at_ms: monitor.paused_at_ms }),
        changes: { status: { from: status, to: 'paused' } },
      };
    case 'resume':
      if (!isPaused) return UNCHANGED;
      return {
        kind: 'changed',
        plan: () => resuming(monitor, nowMs),
        image: () => ({ of: 'pause', paused_at_ms: monitor.paused_at_ms }),
        changes: { status: { from: status, to: monitor.state.status } },
      };
    case 'delete':
      return {
        kind: 'changed',
        plan: () => removing(actor, monitor),
        image: () => deletedImage(monitor),
        changes: { status: { from: status, to: 'deleted' } },
      };
    default:
      return decideSettings(needs, actor, monitor, patchOf(monitor, operation));
  }
}

function patchOf(
  { tags }: MonitorDocument,
  operation: Extract<MonitorOperation, { type: 'set' | 'add_tags' | 'remove_tags' }>,
): UpdateMonitor {
  if (operation.type === 'set') return operation.fields;
  const named = operation.tags.map((tag) => tag.trim());
  if (operation.type === 'remove_tags') return { tags: tags.filter((tag) => !named.includes(tag)) };
  return { tags: [...new Set([...tags, ...named])] };
}

function decideSettings(
  needs: Pick<MonitorNeeds, 'secrets' | 'clock' | 'locations' | 'guard'>,
  actor: Actor,
  monitor: MonitorDocument,
  patch: UpdateMonitor,
): MonitorDecision {
  const current = needs.secrets.settings(monitor);
  const { settings, errors } = changedSettings(current, patch, rulesFor(needs, actor));
  if (settings.tags.length > TAGS_MAX) {
    errors.push({
      path: '/tags',
      message: `must not be more than ${TAGS_MAX}`,
      code: 'max_items',
      params: { max: TAGS_MAX },
    });
  }
  if (errors.length > 0) return { kind: 'refused', code: 'validation_failed', errors };
  const refusal = planRefusal(settings, current, actor.plan);
  if (refusal !== null) return { kind: 'refused', code: 'plan_limit', errors: [refusal] };
  if (isDeepStrictEqual(settings, current)) return UNCHANGED;
  return {
    kind: 'changed',
    plan: () => updating(needs, actor, monitor, settings),
    image: () => settingsImage(needs.secrets, monitor, current, settings),
    changes: settingsChanges(current, settings),
  };
}
