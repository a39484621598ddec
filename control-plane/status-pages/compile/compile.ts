import { createHash } from 'node:crypto';
import type { ComponentSettings } from '../documents.js';
import type { PageFacts, ThingFacts } from '../facts/facts.js';
import { COMPONENTS_MAX } from '../schema.js';
import { daysOf, type PercentUp } from './days.js';
import { maintenanceOf } from './maintenance.js';
import type { ComponentModel, ComponentState, PageModel, Proportion } from './model.js';
import { noticesOf } from './notices.js';
import { OUTAGES_SHOWN, outagesOf, type ShownComponent } from './outages.js';
import { overallState, proportionOf, stateOf, worstState } from './state.js';

const MINUTE_MS = 60_000;
const KEY_CHARS = 16;

/** A line of the page before anything of it is computed. */
interface Line {
  id: string | null;
  componentId: string;
  /** Names it within the page. */
  key: string;
  name: string;
  description: string | null;
  things: readonly ThingFacts[];
  /** Not all of its things were read. */
  isPart: boolean;
}

/** Returns what the page says. Pure. */
export function compilePage(facts: PageFacts, percentUp: PercentUp): PageModel {
  const { page, nowMs, days, things, incidents, planned } = facts;
  const groups = linesOf(facts);
  const lines = groups.flatMap((group) => group.lines);
  const shown = lines.map(
    ({ key, componentId, name, things: own, isPart }): ShownComponent => ({
      key,
      componentId,
      name,
      thingIds: new Set(own.map(({ id }) => id)),
      watched: own.filter(({ state }) => state !== 'paused').length,
      isPart,
    }),
  );
  const states = new Map(lines.map((line) => [line, lineState(line, incidents)]));
  const componentOf = (line: Line): ComponentModel => ({
    id: line.id,
    name: line.name,
    description: line.description,
    state: states.get(line) ?? 'not_known',
    proportion: shownProportion(line, states.get(line)),
    ...daysOf(line.things, days, nowMs, percentUp),
  });
  const outages = outagesOf(shown, facts, page.incidents_after_minutes, nowMs);
  return {
    slug: page.slug,
    title: page.title,
    description: page.description,
    color: page.color,
    logo: page.logo?.hash ?? null,
    timeZone: page.time_zone,
    createdMs: page.created_at_ms,
    asOfMs: nowMs - (nowMs % MINUTE_MS),
    state: overallState([...states.values()]),
    dates: days.dates,
    groups: groups.map(({ name, lines: own }) => ({ name, components: own.map(componentOf) })),
    outages: outages.slice(0, OUTAGES_SHOWN),
    furtherOutages: outages.slice(OUTAGES_SHOWN),
    notices: noticesOf(incidents, page),
    maintenance: maintenanceOf(shown, things, planned, nowMs),
  };
}

/** What people say of a component counts if it is worse than what Picket has seen. */
function lineState({ componentId, things, isPart }: Line, incidents: PageFacts['incidents']): ComponentState {
  const seen = stateOf(things);
  const said = incidents
    .filter(({ resolved_at_ms, component_ids }) => resolved_at_ms === null && component_ids.includes(componentId))
    .flatMap(({ impact }) => (impact === 'none' ? [] : [impact]));
  return worstState([isPart ? ofPart(seen) : seen, ...said]);
}

/** Others that were not read may be down, or may be up. */
function ofPart(seen: ComponentState): ComponentState {
  if (seen === 'outage') return 'partial_outage';
  return seen === 'operational' || seen === 'maintenance' ? 'not_known' : seen;
}

/** What people say has no number. */
function shownProportion({ things, isPart }: Line, state: ComponentState | undefined): Proportion | null {
  const proportion = proportionOf(things, isPart);
  return state === 'partial_outage' && proportion.down > 0 ? proportion : null;
}

/** A tag makes a line for each thing that has it while there is room for all of them; otherwise one line for all. */
function linesOf(facts: PageFacts): { name: string | null; lines: Line[] }[] {
  const { groups } = facts.page;
  let room = COMPONENTS_MAX - groups.reduce((sum, { components }) => sum + components.length, 0);
  return groups.map(({ name, components }) => ({
    name,
    lines: components.flatMap((component) => {
      const line = lineOf(component, facts);
      const more = line.things.length - 1;
      if (!component.show_each || line.isPart || more < 0 || more > room) return [line];
      room -= more;
      return line.things.map((thing) => ({
        id: null,
        componentId: line.componentId,
        key: `${line.key}-${shortened(thing.id)}`,
        name: thing.name,
        description: null,
        things: [thing],
        isPart: false,
      }));
    }),
  }));
}

/** Ids of monitors and servers are not public. */
function shortened(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, KEY_CHARS);
}

function lineOf({ id, name, description, monitor_id, server_id, tag }: ComponentSettings, facts: PageFacts): Line {
  const { things, tooMany } = facts;
  const own = tag === null ? [monitor_id, server_id] : null;
  return {
    id,
    componentId: id,
    key: id,
    name,
    description,
    things: things.filter((thing) => (own === null ? thing.tags.includes(tag ?? '') : own.includes(thing.id))),
    isPart: tag !== null && (tooMany.monitors || tooMany.servers),
  };
}
