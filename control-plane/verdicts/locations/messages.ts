import { clockTime, count } from '../../wording.js';

/** The event that an alert about a location is sent for. */
export type PlatformText =
  | { kind: 'silent'; sinceMs: number; monitors: number }
  | { kind: 'back' }
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
      return `No probe in ${where} has been connected since ${clockTime(text.sinceMs)}. The location does not vote on the ${count(text.monitors, 'monitor')} assigned to it; their other locations decide.`;
    case 'back':
      return `A probe in ${where} is connected again.`;
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
