import { toIso } from '../../../kernel/clock.js';
import { utc } from '../../wording.js';

/**
 * The only script of the pages: it writes each time in the time zone of the viewer, and keeps UTC as its title. Without
 * it the times stay in UTC, and the page does all else.
 */
export const TIMES_SCRIPT = `
{
  const language = document.documentElement.lang;
  const locale = navigator.languages.find((tag) => tag.slice(0, 2) === language) || language;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23' });
  for (const time of document.querySelectorAll('time')) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
}
`;

/** Returns a time as HTML: in UTC, which the script replaces. */
export function time(atMs: number): string {
  return `<time datetime="${toIso(atMs)}">${utc(atMs)}</time>`;
}
