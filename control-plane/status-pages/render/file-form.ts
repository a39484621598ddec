import { toIso } from '../../../kernel/clock.js';
import type { PageModel } from '../compile/model.js';
import { LANGUAGES, type PageLanguage, WORDS } from '../words/languages.js';

/** A page as a file that a web server sends without Picket. */
export interface FileForm {
  /** Returns the name of the file in a language, in the same folder. */
  nameIn(language: PageLanguage): string;
}

const NAMES: Readonly<Record<PageLanguage, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

/** Shows the notice by the clock of the reader, also on a page that stays open. Without a script, "As of" says the time. */
export const STALE_SCRIPT =
  "(()=>{const e=document.getElementById('stale'),t=Date.parse(e.dataset.asOf),c=()=>{e.hidden=Date.now()-t<3e5};c();setInterval(c,15e3)})()";

/** Returns the notice that `STALE_SCRIPT` shows. */
export function staleNotice({ asOfMs }: Pick<PageModel, 'asOfMs'>, language: PageLanguage): string {
  return `<p class="overall" id="stale" data-as-of="${toIso(asOfMs)}" hidden><span class="b">${WORDS[language].stale}</span></p>`;
}

/** Returns links to the page in its other languages: a file cannot choose by `Accept-Language`. */
export function languageLinks({ nameIn }: FileForm, language: PageLanguage): string {
  const links = LANGUAGES.filter((one) => one !== language).map(
    (one) => `<a href="${nameIn(one)}" lang="${one}" hreflang="${one}">${NAMES[one]}</a>`,
  );
  return `<nav aria-label="${WORDS[language].languages}"><p>${links.join(' · ')}</p></nav>`;
}
