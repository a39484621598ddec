/**
 * Returns the URL of the page that the person wanted before the log-in, `next` of the query, below the base of the pages.
 * Anything that a browser could read as another site or as a script leads to the overview instead. Pure.
 */
export function pageAfterLogIn(next: string | null, base: string): URL {
  const isOwn = next !== null && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next);
  // Without the dot, `/https://example.org` would be the URL of another site.
  return new URL(isOwn ? `.${next}` : '', base);
}
