import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CalendarEvent } from '../calendar.js';
import type { Span, WindowDocument } from '../documents.js';
import { nextOccurrences } from '../schedule/occurrences.js';

const DAY_MS = 86_400_000;
export const PAST_DAYS = 30;
export const AHEAD_DAYS = 60;
/** Of one window, in each direction. One that occurs more often has those of the last day, and the next ones. */
const OCCURRENCES_MAX = 50;
/** Of all windows together: the next ones, then the latest of those that are over. */
const EVENTS_MAX = 2_000;

/** Returns the occurrences of windows in the last 30 and the next 60 days as events. Windows that cannot be computed have none. */
export async function eventsOf(
  windows: readonly WindowDocument[],
  publicUrl: string,
  nowMs: number,
): Promise<CalendarEvent[]> {
  const events: { span: Span; event: CalendarEvent }[] = [];
  for (const window of windows) {
    for (const span of spansAround(window, nowMs)) events.push({ span, event: eventOf(window, span, publicUrl) });
    // Rules that name few days take milliseconds each, and others go on meanwhile.
    await nextTurn();
  }
  const distanceMs = ({ from_ms, to_ms }: Span) =>
    to_ms > nowMs ? from_ms - nowMs : AHEAD_DAYS * DAY_MS + nowMs - to_ms;
  return events
    .sort((a, b) => distanceMs(a.span) - distanceMs(b.span))
    .slice(0, EVENTS_MAX)
    .map(({ event }) => event)
    .sort((a, b) => a.startsMs - b.startsMs || (a.uid < b.uid ? -1 : 1));
}

function spansAround(window: WindowDocument, nowMs: number): Span[] {
  try {
    const between = (fromMs: number, toMs: number) => nextOccurrences(window, fromMs, OCCURRENCES_MAX, toMs);
    const past = between(nowMs - PAST_DAYS * DAY_MS, nowMs);
    // So many that the latest are not among them.
    const recent = past.length < OCCURRENCES_MAX ? past : between(nowMs - DAY_MS, nowMs);
    const next = between(nowMs, nowMs + AHEAD_DAYS * DAY_MS);
    return [...recent.filter(({ to_ms }) => to_ms <= nowMs), ...next];
  } catch {
    return [];
  }
}

function eventOf(window: WindowDocument, { from_ms, to_ms }: Span, publicUrl: string): CalendarEvent {
  const { _id, name, recurrence, updated_at_ms, version } = window;
  // What happens once is the same event also when it is moved.
  const uid = recurrence === null ? _id : `${_id}-${from_ms}`;
  return {
    uid: `${uid}@picket`,
    startsMs: from_ms,
    endsMs: to_ms,
    summary: name,
    description: targetsText(window),
    url: `${publicUrl}/maintenance/${_id}`,
    changedMs: updated_at_ms,
    sequence: version,
  };
}

function targetsText({ everything, monitor_ids, server_ids, tags }: WindowDocument): string {
  if (everything) return 'Everything';
  const count = (number: number, one: string) => (number === 0 ? [] : [`${number} ${one}${number === 1 ? '' : 's'}`]);
  const named = [...count(monitor_ids.length, 'monitor'), ...count(server_ids.length, 'server')];
  const tagged = tags.length === 0 ? [] : [`everything with the tag ${tags.join(' or ')}`];
  return [...named, ...tagged].join(', ') || 'Nothing';
}
