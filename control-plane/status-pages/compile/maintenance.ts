import type { PlannedMaintenance } from '../../maintenance/maintenance.js';
import type { ThingFacts } from '../facts/facts.js';
import type { MaintenanceModel } from './model.js';
import type { ShownComponent } from './outages.js';

const DAY_MS = 86_400_000;
const AHEAD_DAYS = 30;
const MAINTENANCE_SHOWN = 5;

/** Returns the maintenance of components under way and of the next days, the earliest first. Its names are not public. */
export function maintenanceOf(
  components: readonly ShownComponent[],
  things: readonly ThingFacts[],
  planned: readonly PlannedMaintenance[],
  nowMs: number,
): MaintenanceModel[] {
  return planned
    .flatMap(({ occurrences, appliesTo }) => {
      const covered = new Set(things.filter((thing) => appliesTo(thing)).map(({ id }) => id));
      const names = components
        .filter(({ thingIds }) => [...thingIds].some((id) => covered.has(id)))
        .map(({ name }) => name);
      if (names.length === 0) return [];
      return occurrences
        .filter(({ from_ms }) => from_ms < nowMs + AHEAD_DAYS * DAY_MS)
        .map(({ from_ms, to_ms }) => {
          return { startsMs: from_ms, endsMs: to_ms, isActive: from_ms <= nowMs, components: names };
        });
    })
    .sort((a, b) => a.startsMs - b.startsMs || a.endsMs - b.endsMs)
    .slice(0, MAINTENANCE_SHOWN);
}
