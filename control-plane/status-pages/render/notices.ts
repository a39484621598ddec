import { type PageLanguage, WORDS } from '../words/languages.js';
import { framed, type HtmlPage } from './html.js';

/** The name of the field of the form. */
export const PASSWORD_FIELD = 'password';
const COLOR = '#566072';

/** What is said in place of a page. */
export type Notice = 'notFound' | 'unavailable' | 'tooMany' | 'membersOnly';

/** Returns the page that says why another one is not shown. It says nothing of that page. */
export function noticePage(language: PageLanguage, notice: Notice): HtmlPage {
  const { title, text } = WORDS[language][notice];
  return framed({ language, title, accent: COLOR, head: '', body: `<main><h1>${title}</h1>\n<p>${text}</p></main>` });
}

/** Returns the page that asks for the password of another one, whose address relative to it is `address`. */
export function passwordPage(language: PageLanguage, address: string, isWrong: boolean): HtmlPage {
  const { title, label, button, wrong } = WORDS[language].password;
  const body = `<main><h1>${title}</h1>
<form method="post" action="${address}">
${isWrong ? `<p class="wrong" role="alert" id="wrong">${wrong}</p>\n` : ''}<label for="password">${label}</label>
<input id="password" name="${PASSWORD_FIELD}" type="password" autocomplete="current-password" required${isWrong ? ' aria-describedby="wrong"' : ''}>
<button type="submit">${button}</button>
</form></main>`;
  return framed({ language, title, accent: COLOR, head: '', body });
}
