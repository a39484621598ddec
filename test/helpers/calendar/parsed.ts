import { execFileSync } from 'node:child_process';

const SCRIPT = 'test/helpers/calendar/read_ics.py';

export interface ParsedEvent {
  UID: string;
  DTSTAMP: string;
  DTSTART: string;
  DTEND: string;
  SUMMARY: string;
  DESCRIPTION?: string;
  URL?: string;
  SEQUENCE: string;
}

/** Returns what Python reads in an iCalendar text. Throws if it breaks a rule of RFC 5545. */
export function parsedCalendar(text: string): { calendar: Record<string, string>; events: ParsedEvent[] } {
  return JSON.parse(execFileSync('python3', [SCRIPT], { input: text, encoding: 'utf8' }));
}
