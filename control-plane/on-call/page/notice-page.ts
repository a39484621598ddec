import type { Language } from '../../http/client/language.js';
import { fitted } from './fitted.js';
import { framed } from './frame.js';
import { TEXTS } from './texts/texts.js';

const URL_BYTES_MAX = 2_000;

/**
 * The page for every link that does not work. It is the same for all of them, and says nothing of an incident: whoever
 * has a revoked link must not learn more from it.
 */
export function refusedPage(language: Language, publicUrl: string): string {
  const words = TEXTS[language].notice;
  return framed(
    language,
    words.refused,
    `<h1>${words.refused}</h1>
<p>${words.refusedText}</p>
<p>${words.logIn}</p>
${openLink(language, publicUrl)}`,
  );
}

/** The page for an address that has sent too many links that do not work. */
export function tooManyPage(language: Language, publicUrl: string, waitS: string): string {
  const words = TEXTS[language].notice;
  return framed(
    language,
    words.tooMany,
    `<h1>${words.tooMany}</h1>
<p>${fitted(words.tooManyText(waitS), URL_BYTES_MAX)}</p>
${openLink(language, publicUrl)}`,
  );
}

/** The page while the database is unavailable. */
export function unavailablePage(language: Language): string {
  const words = TEXTS[language].notice;
  return framed(
    language,
    words.unavailable,
    `<h1>${words.unavailable}</h1>
<p>${words.unavailableText}</p>`,
  );
}

function openLink(language: Language, publicUrl: string): string {
  const { openPicket } = TEXTS[language].notice;
  return `<p class="links"><a href="${fitted(publicUrl, URL_BYTES_MAX)}/" rel="noreferrer">${openPicket}</a></p>`;
}
