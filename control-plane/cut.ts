const ELLIPSIS = '…';

/** Returns the text cut to `charsMax` UTF-16 code units. Does not split a surrogate pair. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  return `${withoutLoneSurrogate(text.slice(0, charsMax - ELLIPSIS.length))}${ELLIPSIS}`;
}

/** Like `cut`, for limits that count UTF-8 bytes. */
export function cutBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const room = bytesMax - Buffer.byteLength(ELLIPSIS);
  let kept = text;
  while (Buffer.byteLength(kept) > room) {
    const excess = Buffer.byteLength(kept) - room;
    kept = withoutLoneSurrogate(kept.slice(0, kept.length - Math.max(1, Math.ceil(excess / 4))));
  }
  return `${kept}${ELLIPSIS}`;
}

/**
 * Returns the escaped text cut to `charsMax`. Does not split an escape sequence. The limit applies to the escaped text,
 * because escaping makes it longer.
 */
export function cutEscaped(text: string, charsMax: number, escapeText: (plain: string) => string): string {
  const whole = escapeText(text);
  if (whole.length <= charsMax) return whole;
  let kept = '';
  for (const char of text) {
    const next = escapeText(char);
    if (kept.length + next.length > charsMax - ELLIPSIS.length) break;
    kept += next;
  }
  return `${kept}${ELLIPSIS}`;
}

function withoutLoneSurrogate(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
