import type { Incident, Page, TimelineLine } from '../../api/types.ts';
import { errorOf, type Start, together } from './together.ts';

/** What the overview shows of the last day. */
export interface Recent {
  outages: Outage[];
  changes: Change[];
  /** Whether there is more than what is shown, or than what was read. */
  hasMore: boolean;
}

/** The incidents of one object: a monitor that flaps is one line. Or those of many that went down together. */
export interface Outage {
  newest: Incident;
  count: number;
  /** All incidents of monitors that went down together; null for one object. */
  together: readonly Incident[] | null;
  /** Whether there may be more incidents than were read. */
  hasMore: boolean;
}

/** What a person or Picket did, and how often: 32 monitors that were changed one by one are one line. */
export interface Change {
  newest: TimelineLine;
  times: number;
  /** How many objects it was done to. */
  objects: number;
  /** Whether it may have been done to more, before what was read. */
  hasMore: boolean;
}

const OUTAGES_MAX = 8;
const CHANGES_MAX = 12;
const PAGES_MAX = 5;

/**
 * Log-ins and probes are in the audit log; here they would hide what changed. What a person did to an incident is in the
 * lines of the incident. Incidents have a place of their own, and with them the status that they follow from.
 */
const LEFT_OUT = /^audit\.(?:auth|probe|location|alert|api_key)\.|^monitor\.status_changed$/;
const BY_PICKET = /^incident\./;
const BULK = /^audit\.monitor\.bulk_/;
const MONITOR = /^audit\.monitor\./;
/** Objects that people change many of. */
const MANY = /^audit\.(?:monitor|server|channel|alert_rule|blacklist_monitor)\./;

export type Changes = Pick<Recent, 'changes' | 'hasMore'>;

/**
 * Resolves to the newest changes, the newest first. `readPage` reads the page of the timeline at a cursor, the first one
 * at an empty one. Many log-ins, or the rows of a bulk change, do not hide what was before: it reads on, for some pages.
 * `onFirst` gets the changes of the first page, if there are any and it reads on.
 */
export async function changesOf(
  readPage: (cursor: string) => Promise<Page<TimelineLine>>,
  onFirst: (changes: Changes) => Promise<void>,
): Promise<Changes> {
  const lines: TimelineLine[] = [];
  for (let page = 1, cursor = ''; ; page++) {
    const { data, next_cursor: next } = await readPage(cursor);
    lines.push(...data.filter(isShown));
    const found = grouped(lines);
    const changes = shownOf(found, next !== null);
    if (next === null || page === PAGES_MAX || found.length > CHANGES_MAX) return changes;
    if (page === 1 && found.length > 0) await onFirst(changes);
    cursor = next;
  }
}

function shownOf(found: readonly Change[], isCut: boolean): Changes {
  return {
    changes: found.slice(0, CHANGES_MAX).map((change) => ({ ...change, hasMore: isCut && change.times > 1 })),
    hasMore: found.length > CHANGES_MAX || isCut,
  };
}

function isShown({ type, actor }: TimelineLine): boolean {
  return !LEFT_OUT.test(type) && !(BY_PICKET.test(type) && actor === 'system');
}

/** Returns lines with what one actor repeated as one line, and without the rows of a bulk change that has its own. Pure. */
function grouped(lines: readonly TimelineLine[]): Change[] {
  const jobs = new Set<unknown>(lines.flatMap((line) => (BULK.test(line.type) ? [line.resource.id] : [])));
  const groups = new Map<string, TimelineLine[]>();
  for (const line of lines) {
    const isBulk = BULK.test(line.type);
    if (!isBulk && MONITOR.test(line.type) && jobs.has(line.metadata['bulk_id'])) continue;
    const of = isBulk ? line.id : MANY.test(line.type) ? '' : line.resource.id;
    const key = `${line.actor} ${line.type} ${of}`;
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()].flatMap((group) => {
    const [newest] = group;
    if (newest === undefined) return [];
    const objects = new Set(group.map(({ resource }) => resource.id)).size;
    return [{ newest, times: group.length, objects, hasMore: false }];
  });
}

/** Returns the incidents since a time by their object, or as one that many monitors had together, the newest first. Pure. */
export function outagesOf({ data, next_cursor }: Page<Incident>, fromMs: number): Pick<Recent, 'outages' | 'hasMore'> {
  const recent = data.filter(({ started_at, resolved_at }) => Date.parse(resolved_at ?? started_at) >= fromMs);
  const groups = new Map<string, Outage>();
  const isCut = next_cursor !== null && recent.length === data.length;
  const oldest = recent.at(-1);
  for (const group of together(recent, startOf)) {
    const [incident] = group;
    if (incident === undefined) continue;
    const isTogether = group.length > 1;
    const key = isTogether ? incident.id : `${incident.kind} ${incident.resource.id}`;
    const known = groups.get(key);
    groups.set(key, {
      ...{ newest: known?.newest ?? incident, count: (known?.count ?? 0) + group.length },
      ...{ together: isTogether ? group : null, hasMore: isCut && oldest !== undefined && group.includes(oldest) },
    });
  }
  return { outages: [...groups.values()].slice(0, OUTAGES_MAX), hasMore: groups.size > OUTAGES_MAX || isCut };
}

function startOf(incident: Incident): Start | null {
  const cause = errorOf(incident);
  return cause === null ? null : { cause, at: incident.started_at, object: incident.resource.id };
}
