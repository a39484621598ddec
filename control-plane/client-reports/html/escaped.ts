import { escapeHtml } from '../../mail/template/escape-html.js';
import { TURNS } from '../../on-call/page/fitted.js';

/** Returns a text of a report as HTML. Texts of a report are bounded when they are stored. */
export function escaped(text: string): string {
  return escapeHtml(text.replace(TURNS, ''));
}
