import { escapeHtml } from '../../mail/template/escape-html.js';

/** Characters that turn the text after them, up to the end of their element. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a text of a report as HTML. Texts of a report are bounded when they are stored. */
export function escaped(text: string): string {
  return escapeHtml(text.replace(TURNS, ''));
}
