import { toIso } from '../../kernel/clock.js';
import { withPrefix } from '../storage/ids.js';
import type { TimelineLine } from './schema.js';
import type { TimelineRow } from './timeline.js';

/** Returns a timeline entry in the shape of the API. */
export function timelineView(row: TimelineRow): TimelineLine {
  return {
    id: withPrefix('tle', row.id),
    at: toIso(row.atMs),
    type: row.type,
    resource: row.resource,
    message: row.message,
    actor: row.actor,
    metadata: row.metadata,
  };
}
