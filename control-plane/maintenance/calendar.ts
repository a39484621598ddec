/** Content lines are folded so that none is longer (RFC 5545, 3.1). */
const LINE_OCTETS_MAX = 75;
/** How often a program may read a calendar again, as it is asked to. */
const REFRESH = 'PT15M';

export interface CalendarEvent {
  /** The same as long as the event exists, and of no other event anywhere. */
  uid: string;
  startsMs: number;
  endsMs: number;
  summary: string;
  description: string | null;
  /** An absolute URL; null without one. */
  url: string | null;
  /** When the event was changed, and how often. */
  changedMs: number;
  sequence: number;
}

/** Returns a calendar as iCalendar text (RFC 5545). Times are in UTC, so that no program needs the rules of a time zone. Pure. */
export function calendarText(calendar: { name: string; events: readonly CalendarEvent[] }): string {
  const name = escaped(calendar.name);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Picket//Maintenance//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...calendar.events.flatMap(eventLines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function eventLines(event: CalendarEvent): string[] {
  const { uid, startsMs, endsMs, summary, description, url, changedMs, sequence } = event;
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(changedMs)}`,
    `DTSTART:${utc(startsMs)}`,
    `DTEND:${utc(endsMs)}`,
    `SEQUENCE:${sequence}`,
    `SUMMARY:${escaped(summary)}`,
    ...(description === null ? [] : [`DESCRIPTION:${escaped(description)}`]),
    ...(url === null ? [] : [`URL:${url}`]),
    // Nobody is busy because of it.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** `20310131T123456Z` */
function utc(atMs: number): string {
  return new Date(atMs)
    .toISOString()
    .replace(/[-:]/g, '')
    .replace(/\.\d{3}/, '');
}

/** Other control characters are not allowed in texts. */
function escaped(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** Cuts between characters: the octets of one stay together. */
function folded(line: string): string {
  let [text, octets] = ['', 0];
  for (const char of line) {
    const own = Buffer.byteLength(char);
    if (octets + own > LINE_OCTETS_MAX) {
      text += '\r\n ';
      octets = 1;
    }
    text += char;
    octets += own;
  }
  return text;
}
