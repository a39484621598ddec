import { createHash } from 'node:crypto';
import type { PlannedMaintenance } from '../../maintenance/maintenance.js';
import type { ThingFacts } from '../facts/facts.js';
import type { MaintenanceModel } from './model.js';
import type { ShownComponent } from './outages.js';

const DAY_MS = 86_400_000;
const AHEAD_DAYS = 30;
/** On a page, also in its calendar. */
const MAINTENANCE_MAX = 50;
const ID_CHARS = 24;

/** Returns the maintenance of components under way and of the next days, the earliest first. Its names are not public. */
export function maintenanceOf(
  components: readonly ShownComponent[],
  things: readonly ThingFacts[],
  planned: readonly PlannedMaintenance[],
  nowMs: number,
): MaintenanceModel[] {
  return planned
    .flatMap(({ id: windowId, occurrences, appliesTo }) => {
      const covered = new Set(things.filter((thing) => appliesTo(thing)).map(({ id }) => id));
      const affected = components.filter(({ thingIds }) => [...thingIds].some((id) => covered.has(id)));
      if (affected.length === 0) return [];
      const of = {
        components: affected.map(({ name }) => name),
        componentIds: [...new Set(affected.map(({ componentId }) => componentId))],
        series: occurrences.length > 1 ? occurrenceId(windowId, 0) : null,
      };
      return occurrences
        .filter(({ from_ms }) => from_ms < nowMs + AHEAD_DAYS * DAY_MS)
        .map(({ from_ms, to_ms }) => {
          const id = occurrenceId(windowId, from_ms);
          return { ...of, id, startsMs: from_ms, endsMs: to_ms, isActive: from_ms <= nowMs };
        });
    })
    .sort((a, b) => a.startsMs - b.startsMs || a.endsMs - b.endsMs)
    .slice(0, MAINTENANCE_MAX);
}

/** Ids of windows are not public. */
function occurrenceId(windowId: string, fromMs: number): string {
  return createHash('sha256').update(`${windowId} ${fromMs}`).digest('hex').slice(0, ID_CHARS);
}
