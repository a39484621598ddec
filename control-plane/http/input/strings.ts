/** Deeper than any body of the API. Recursive code is safe within it. */
export const BODY_DEPTH_MAX = 32;

export const NO_CONTROLS_MESSAGE = 'must not contain control characters';

/** Returns a field name as a token of a JSON pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ only in this bit, and so do `]` and `}`. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Returns whether objects and arrays are nested more than `max` levels deep in a JSON text. The text is much faster to
 * read than the value that it becomes.
 */
export function isDeeperThan(json: string, max: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (isText && code === BACKSLASH) at++;
    else if (code === QUOTE) isText = !isText;
    else if (isText) continue;
    else if ((code | BRACE_BIT) === OPENING && ++depth > max) return true;
    else if ((code | BRACE_BIT) === CLOSING) depth--;
  }
  return false;
}
