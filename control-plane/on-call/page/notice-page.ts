import { fitted } from './fitted.js';
import { framed } from './frame.js';

const URL_BYTES_MAX = 2_000;

/**
 * The page for every link that does not work. It is the same for all of them, and says nothing of an incident: whoever
 * has a revoked link must not learn more from it.
 */
export function refusedPage(publicUrl: string): string {
  return framed(
    'This link does not work',
    `<h1>This link does not work</h1>
<p>Links in notifications work for 24 hours. This one has expired, was revoked, or was not copied completely.</p>
<p>Sign in to see what is wrong now, and to acknowledge incidents.</p>
${signIn(publicUrl)}`,
  );
}

/** The page for an address that has sent too many links that do not work. */
export function tooManyPage(publicUrl: string, waitS: string): string {
  return framed(
    'Too many links that do not work',
    `<h1>Too many links that do not work</h1>
<p>Your network has opened too many links that do not work. Try again in ${fitted(waitS, URL_BYTES_MAX)} seconds. A link that works is not affected.</p>
${signIn(publicUrl)}`,
  );
}

/** The page while the database is unavailable. */
export function unavailablePage(): string {
  return framed(
    'Picket is not available',
    `<h1>Picket is not available</h1>
<p>Its database does not answer. Load this page again in a few seconds.</p>`,
  );
}

function signIn(publicUrl: string): string {
  return `<p class="links"><a href="${fitted(publicUrl, URL_BYTES_MAX)}/" rel="noreferrer">Open Picket</a></p>`;
}
