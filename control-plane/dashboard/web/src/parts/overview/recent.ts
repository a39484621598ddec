import type { Page, TimelineLine } from '../../api/types.ts';

/** What the overview shows of the last day. */
export interface Recent {
  lines: TimelineLine[];
  /** Whether there is more than what is shown, or than what was read. */
  hasMore: boolean;
}

const LINES_MAX = 12;
const PAGES_MAX = 5;

/**
 * Sign-ins and probes are in the audit log; here they would hide what changed. What a person did to an incident, and the
 * status that an incident follows from, are in the lines of the incident.
 */
const LEFT_OUT = /^audit\.(?:auth|probe|location|alert|api_key)\.|^monitor\.status_changed$/;

/**
 * Resolves to the newest lines that say what happened, the newest first. `readPage` reads the page of the timeline at a
 * cursor, the first one at an empty one. Many sign-ins do not hide an outage: it reads on, for some pages.
 */
export async function recentOf(readPage: (cursor: string) => Promise<Page<TimelineLine>>): Promise<Recent> {
  const lines: TimelineLine[] = [];
  let cursor: string | null = '';
  for (let page = 0; page < PAGES_MAX && cursor !== null && lines.length <= LINES_MAX; page++) {
    const answer: Page<TimelineLine> = await readPage(cursor);
    lines.push(...answer.data.filter(({ type }) => !LEFT_OUT.test(type)));
    cursor = answer.next_cursor;
  }
  return { lines: lines.slice(0, LINES_MAX), hasMore: lines.length > LINES_MAX || cursor !== null };
}
