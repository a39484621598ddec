import { pageAfterLogIn } from './page-after-log-in.ts';

/** Opens the page that the person wanted before the log-in. */
export function openNext(): void {
  location.assign(pageAfterLogIn(new URLSearchParams(location.search).get('next'), document.baseURI));
}

/** Returns the token of a link in an e-mail; null without one. It is in the fragment, which reaches no server. */
export function tokenOfLink(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  return token === null || token === '' ? null : token;
}
