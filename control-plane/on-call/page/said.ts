import { fitted } from './fitted.js';
import { time } from './time.js';

/** A sentence in pieces: its text, and its times, which the page shows in the time zone of the viewer. */
export type Said = readonly (string | { atMs: number })[];

/** Returns a sentence as HTML. `bytesMax` is the limit of its text, as of `fitted`. */
export function saidHtml(said: Said, bytesMax: number): string {
  let html = '';
  let room = bytesMax;
  for (const piece of said) {
    const next = typeof piece === 'string' ? fitted(piece, room) : time(piece.atMs);
    html += next;
    if (typeof piece === 'string') room -= Buffer.byteLength(next);
  }
  return html;
}

/** Like `saidHtml`, for text of unknown direction, as `isolated`. */
export function isolatedSaid(said: Said, bytesMax: number, language: 'en' | null): string {
  return `<bdi${language === null ? '' : ` lang="${language}"`}>${saidHtml(said, bytesMax)}</bdi>`;
}
