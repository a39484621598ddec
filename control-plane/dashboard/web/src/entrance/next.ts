/**
 * Opens the page that the person wanted before the log-in. Anything that a browser could read as another site opens the
 * overview instead.
 */
export function openNext(): void {
  const next = new URLSearchParams(location.search).get('next') ?? '/';
  const isOwn = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next);
  location.assign(new URL(isOwn ? next.slice(1) : '', document.baseURI));
}

/** Returns the token of a link in an e-mail; null without one. It is in the fragment, which reaches no server. */
export function tokenOfLink(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  return token === null || token === '' ? null : token;
}
