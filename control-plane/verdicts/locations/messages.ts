import { clockTime, count, shortName } from '../../wording.js';
import type { SilenceCause } from './silence.js';
import type { Unchecked } from './unchecked-monitors.js';

/** The event that an alert about a location is sent for. */
export type PlatformText =
  | { kind: 'silent'; cause: SilenceCause; sinceMs: number; monitors: number; unchecked: Unchecked }
  | { kind: 'back' }
  | { kind: 'unassigned' }
  | { kind: 'quarantined'; failing: number; monitors: number }
  | { kind: 'trusted' }
  | { kind: 'released'; broken: number; voting: number }
  | { kind: 'majority_broken'; broken: readonly string[]; voting: number }
  | { kind: 'minority_broken' };

/** Returns the sentence of an alert about a location. `place` is the location's name. */
export function platformMessage(place: string, code: string, text: PlatformText): string {
  const where = place === code ? code : `${place} (${code})`;
  switch (text.kind) {
    case 'silent':
      return [
        silent(where, text.cause, clockTime(text.sinceMs)),
        `The location does not vote on the ${count(text.monitors, 'monitor')} assigned to it; their other locations decide.`,
        ...(text.unchecked.count === 0 ? [] : [uncheckedSentence(text.unchecked)]),
      ].join(' ');
    case 'back':
      return `A probe in ${where} checks again.`;
    case 'unassigned':
      return `No monitor is assigned to ${where} any more.`;
    case 'quarantined':
      return `${where} is quarantined: ${text.failing} of its ${count(text.monitors, 'monitor')} fail from there while other locations reach them. Its votes do not count until its own network works again.`;
    case 'trusted':
      return `${where} is no longer quarantined. Its votes count again.`;
    case 'released':
      return `${where} is no longer quarantined because ${text.broken} of ${text.voting} locations look broken. Its votes count again.`;
    case 'majority_broken':
      return `${text.broken.length} of ${text.voting} locations look broken (${text.broken.join(', ')}): many of their monitors fail from there while other locations reach them. Picket quarantines none of them, because too few locations would be left. Their votes count, so monitors may go down although their targets work.`;
    case 'minority_broken':
      return 'Most locations work. Picket quarantines broken locations again.';
  }
}

/** Returns the codes of the locations that a message of the kind `majority_broken` names. */
export function brokenNamedIn(message: string): string[] {
  return /\(([^)]*)\)/.exec(message)?.[1]?.split(', ') ?? [];
}

function silent(where: string, cause: SilenceCause, since: string): string {
  switch (cause) {
    case 'disconnected':
      return `No probe in ${where} has been connected since ${since}.`;
    case 'drained':
      return `All probes in ${where} have been drained since ${since}.`;
    case 'no_probe':
      return `${where} has had no probe since ${since}.`;
  }
}

/** `No location can check 7 of them: Shop, Blog, API, Docs, Login and 2 others.` */
export function uncheckedSentence({ count: total, names }: Unchecked): string {
  const others = total - names.length;
  const listed = names.map(shortName).join(', ');
  return `No location can check ${total} of them: ${listed}${others > 0 ? ` and ${count(others, 'other')}` : ''}.`;
}
