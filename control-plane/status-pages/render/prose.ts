import { fitted } from '../../on-call/page/fitted.js';

const LINK = /https?:\/\/[^\s<>"'()]+[^\s<>"'().,;:!?]/g;

/**
 * Returns text of people as HTML of about `bytesMax` bytes: paragraphs, lines and links to http(s) addresses. All else is text.
 * Links say nothing of the page that they are on.
 */
export function proseHtml(text: string, bytesMax: number): string {
  let room = bytesMax;
  const written = (part: string) => {
    const html = room <= 0 ? '' : fitted(part, Math.max(MARK_BYTES, room));
    room -= Buffer.byteLength(html);
    return html;
  };
  const line = (content: string) => {
    let html = '';
    let end = 0;
    for (const match of content.matchAll(LINK)) {
      html += written(content.slice(end, match.index));
      const address = fitted(match[0], ADDRESS_BYTES_MAX);
      const isWhole = room > 2 * Buffer.byteLength(address) && !address.endsWith('…');
      html += isWhole
        ? `<a href="${address}" rel="nofollow noreferrer noopener">${written(match[0])}</a>`
        : written(match[0]);
      end = match.index + match[0].length;
    }
    return html + written(content.slice(end));
  };
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p dir="auto">${paragraph.split('\n').map(line).join('<br>')}</p>`)
    .filter((paragraph) => paragraph !== '<p dir="auto"></p>')
    .join('');
}

/** The mark of a cut needs some. */
const MARK_BYTES = 8;
const ADDRESS_BYTES_MAX = 1_000;
