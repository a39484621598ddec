import type { OutageFacts } from '../facts/facts.js';
import type { PublicIncident } from '../updates/documents.js';
import type { OutageModel, Proportion } from './model.js';

const MINUTE_MS = 60_000;
/** A page shows so many. Subscribers are told of each. */
export const OUTAGES_SHOWN = 20;
const OUTAGES_MAX = 1_000;

/** A component with what it shows. */
export interface ShownComponent {
  key: string;
  /** The component of the settings: lines of one tag share it. */
  componentId: string;
  name: string;
  thingIds: ReadonlySet<string>;
  /** How many of the things are not paused. */
  watched: number;
  /** Not all of its things were read. */
  isPart: boolean;
}

/**
 * Returns the outages of components that have lasted for `afterMinutes`, the newest first. Outages that overlap, of several things
 * of one component, are one. Those about which people have written an incident are left out.
 */
export function outagesOf(
  components: readonly ShownComponent[],
  { outages, incidents }: { outages: readonly OutageFacts[]; incidents: readonly PublicIncident[] },
  afterMinutes: number | null,
  nowMs: number,
): OutageModel[] {
  if (afterMinutes === null) return [];
  const all = components.flatMap(({ key, componentId, name, thingIds, watched, isPart }) =>
    joined(outages.filter(({ thingId }) => thingIds.has(thingId)))
      .filter(({ startedMs, resolvedMs }) => (resolvedMs ?? nowMs) - startedMs >= afterMinutes * MINUTE_MS)
      .filter((outage) => !incidents.some((incident) => isAbout(incident, componentId, outage)))
      .map(({ parts, ...outage }) => ({
        ...outage,
        id: `${key}-${outage.startedMs}`,
        component: name,
        componentId,
        proportion: partDown(parts, outage.resolvedMs, { watched, isPart }),
      })),
  );
  const isPast = ({ resolvedMs }: OutageModel) => (resolvedMs === null ? 0 : 1);
  return all.sort((a, b) => isPast(a) - isPast(b) || b.startedMs - a.startedMs).slice(0, OUTAGES_MAX);
}

function joined(outages: readonly OutageFacts[]): Joined[] {
  const result: Joined[] = [];
  for (const outage of [...outages].sort((a, b) => a.startedMs - b.startedMs)) {
    const { startedMs, resolvedMs, recovered } = outage;
    const last = result.at(-1);
    if (last === undefined || (last.resolvedMs !== null && startedMs > last.resolvedMs)) {
      result.push({ startedMs, resolvedMs, recovered, parts: [outage] });
    } else {
      last.parts.push(outage);
      last.recovered &&= recovered;
      if (last.resolvedMs !== null)
        last.resolvedMs = resolvedMs === null ? null : Math.max(last.resolvedMs, resolvedMs);
    }
  }
  return result;
}

type Span = Pick<OutageModel, 'startedMs' | 'resolvedMs' | 'recovered'>;

/** Outages that overlap, as one. */
interface Joined extends Span {
  parts: OutageFacts[];
}

/** Returns how many are down, or were at the same time; null if these are all things of the component. */
function partDown(
  parts: readonly OutageFacts[],
  resolvedMs: number | null,
  { watched, isPart }: Pick<ShownComponent, 'watched' | 'isPart'>,
): Proportion | null {
  const down = resolvedMs === null ? parts.filter((part) => part.resolvedMs === null).length : mostAtOnce(parts);
  // One of them may have been paused since.
  const of = Math.max(watched, down);
  return down === of && !isPart ? null : { down, of, isMore: isPart };
}

/** The most are down when one of them begins. */
function mostAtOnce(parts: readonly OutageFacts[]): number {
  const lasting = (atMs: number) =>
    new Set(
      parts
        .filter(({ startedMs, resolvedMs }) => startedMs <= atMs && (resolvedMs ?? Number.POSITIVE_INFINITY) > atMs)
        .map(({ thingId }) => thingId),
    ).size;
  return Math.max(1, ...parts.map(({ startedMs }) => lasting(startedMs)));
}

/** Whether people write about the component at the time of the outage. */
function isAbout(incident: PublicIncident, componentId: string, { startedMs, resolvedMs }: Span): boolean {
  const { component_ids, started_at_ms, resolved_at_ms } = incident;
  if (!component_ids.includes(componentId)) return false;
  return (
    started_at_ms <= (resolvedMs ?? Number.POSITIVE_INFINITY) &&
    startedMs <= (resolved_at_ms ?? Number.POSITIVE_INFINITY)
  );
}
