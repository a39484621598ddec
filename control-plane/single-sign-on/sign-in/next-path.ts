const NEXT_CHARS_MAX = 512;
const HOME = '/';

/**
 * Returns the path of this site to open after a log-in. Anything that a browser could read as another site is
 * replaced by `/`: `//host`, `/\host`, and texts with tabs or line breaks, which browsers remove from URLs.
 */
export function nextPath(text: string | undefined): string {
  if (text === undefined || text.length > NEXT_CHARS_MAX) return HOME;
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) ? text : HOME;
}
