import { escapeHtml } from '../../mail/template/escape-html.js';

const ELLIPSIS = '…';

/** Characters that turn the text after them, up to the end of their element. */
export const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns the text as HTML of at most `bytesMax` bytes, cut between two characters, without control characters and without those
 * that change its direction. The limit applies to the escaped text, because escaping makes it up to six times as long.
 */
export function fitted(text: string, bytesMax: number): string {
  const room = bytesMax - Buffer.byteLength(ELLIPSIS);
  let [kept, bytes] = ['', 0];
  for (const char of text.replace(TURNS, '')) {
    const next = /\p{Cc}/u.test(char) ? ' ' : escapeHtml(char);
    bytes += Buffer.byteLength(next);
    if (bytes > room) return kept + ELLIPSIS;
    kept += next;
  }
  return kept;
}

/**
 * Like `fitted`, for text of unknown direction between words of the page. Without the element, right-to-left text would
 * also turn the words after it. `language` is that of the text, if it is known; screen readers then speak it so.
 */
export function isolated(text: string, bytesMax: number, language: 'en' | null = null): string {
  return `<bdi${language === null ? '' : ` lang="${language}"`}>${fitted(text, bytesMax)}</bdi>`;
}
