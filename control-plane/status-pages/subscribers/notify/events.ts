import type { MaintenanceModel, PageModel } from '../../compile/model.js';
import type { ActiveMaintenance } from '../documents.js';
import type { PageEvent } from './page-event.js';

/** An event with its id, which is the same as long as the page shows it. */
export interface NewEvent {
  id: string;
  event: PageEvent;
  /** The event without which nobody has to know this one; null if it stands for itself. */
  after: string | null;
}

/**
 * Returns everything that a page says now, as events, the oldest first: each update of people, each outage that Picket shows, and
 * maintenance. `active` is the maintenance that was under way when the page was compiled before; what the page no longer has of it
 * is over. Pure.
 */
export function eventsOf(
  model: Pick<PageModel, 'notices' | 'outages' | 'furtherOutages' | 'maintenance'>,
  active: readonly ActiveMaintenance[],
  nowMs: number,
): NewEvent[] {
  const all = [...updates(model), ...outages(model, nowMs), ...maintenance(model, active, nowMs)];
  // The occurrences of a window that repeats have one announcement.
  const first = new Set<string>();
  const once = all.filter(({ id }) => !first.has(id) && first.add(id));
  return once.sort((a, b) => a.event.atMs - b.event.atMs);
}

/** Returns the components that an event is about; none means the whole page. Pure. */
export function componentsOfEvent(event: PageEvent): readonly string[] {
  return 'outage' in event ? [event.outage.componentId] : event.componentIds;
}

/** Returns the maintenance under way, as the watch of the page stores it. */
export function activeMaintenance({ maintenance: planned }: Pick<PageModel, 'maintenance'>): ActiveMaintenance[] {
  return planned
    .filter(({ isActive }) => isActive)
    .map(({ id, startsMs, endsMs, components, componentIds }) => ({
      id,
      starts_at_ms: startsMs,
      ends_at_ms: endsMs,
      components: [...components],
      component_ids: [...componentIds],
    }));
}

function updates({ notices }: Pick<PageModel, 'notices'>): NewEvent[] {
  return notices.flatMap(({ id: incidentId, title, components, componentIds, updates: posted }) =>
    posted.map(({ id, state, text, atMs }) => ({
      id,
      after: null,
      event: { kind: 'incident_update', incidentId, title, state, text, components, componentIds, atMs },
    })),
  );
}

/** One that is over before anybody was notified of it stays unsaid. */
function outages(
  { outages: shown, furtherOutages }: Pick<PageModel, 'outages' | 'furtherOutages'>,
  nowMs: number,
): NewEvent[] {
  return [...shown, ...furtherOutages].map((outage) =>
    outage.resolvedMs === null
      ? { id: `${outage.id}-began`, after: null, event: { kind: 'outage_began', outage, atMs: nowMs } }
      : {
          id: `${outage.id}-ended`,
          after: `${outage.id}-began`,
          event: { kind: 'outage_ended', outage, atMs: nowMs },
        },
  );
}

/** Of a window that repeats, only the first announcement is news; each occurrence begins and ends. */
function maintenance(
  { maintenance: planned }: Pick<PageModel, 'maintenance'>,
  active: readonly ActiveMaintenance[],
  nowMs: number,
): NewEvent[] {
  const present = planned.map(({ id, series, isActive, ...times }): NewEvent => {
    const kind = isActive ? 'maintenance_started' : 'maintenance_planned';
    return {
      id: isActive ? `${id}-started` : `${series ?? id}-planned`,
      after: null,
      event: { kind, ...spanOf(times), atMs: nowMs },
    };
  });
  const still = new Set(planned.map(({ id }) => id));
  const over = active
    .filter(({ id }) => !still.has(id))
    .map(({ id, starts_at_ms: startsMs, ends_at_ms: endsMs, components, component_ids: componentIds }): NewEvent => {
      const span = { startsMs, endsMs: Math.min(endsMs, nowMs), components, componentIds };
      return { id: `${id}-ended`, after: `${id}-started`, event: { kind: 'maintenance_ended', ...span, atMs: nowMs } };
    });
  return [...present, ...over];
}

function spanOf({ startsMs, endsMs, components, componentIds }: Omit<MaintenanceModel, 'id' | 'series' | 'isActive'>) {
  return { startsMs, endsMs, components, componentIds };
}
