import { fitted, isolated } from '../../../on-call/page/fitted.js';
import { componentsOf, type StatusPageDocument } from '../../documents.js';
import { framed, type HtmlPage } from '../../render/html.js';
import type { PageLanguage } from '../../words/languages.js';
import { TOKEN_PARAMETER } from '../paths.js';
import { SUBSCRIPTION_WORDS } from '../words/languages.js';
import { addressField } from './form-section.js';

/** The field of the form with a component. */
export const COMPONENT_FIELD = 'component';
const TEXT_BYTES_MAX = 600;
const TOKEN_BYTES_MAX = 200;
const COLOR = '#566072';

/** Returns the page with the form and a choice of components. */
export function formPage(
  language: PageLanguage,
  { title, color, groups }: Pick<StatusPageDocument, 'title' | 'color' | 'groups'>,
  isWrong = false,
): HtmlPage {
  const words = SUBSCRIPTION_WORDS[language].form;
  const choices = componentsOf({ groups }).map(
    ({ id, name }) =>
      `<label><input type="checkbox" name="${COMPONENT_FIELD}" value="${id}"> ${isolated(name, TEXT_BYTES_MAX)}</label>`,
  );
  const choice =
    choices.length < 2
      ? ''
      : `<fieldset><legend>${words.components}</legend>\n${choices.join('\n')}\n</fieldset>\n<p class="soft">${words.help}</p>\n`;
  const body = `<header><h1>${isolated(title, TEXT_BYTES_MAX)}</h1></header>
<main><h2>${words.title}</h2>
<form method="post" action="subscribe">
${addressField(words, isWrong)}
${choice}<button>${words.button}</button>
</form></main>`;
  return framed({ language, title: words.title, accent: color, head: '', body });
}

/** Returns a page without a button. It says nothing of any address. */
export function saidPage(
  language: PageLanguage,
  said: 'asked' | 'tooMany' | 'full' | 'stopped' | 'refused' | 'unavailable',
): HtmlPage {
  const { title, text } = SUBSCRIPTION_WORDS[language][said];
  return plainPage(language, title, `<p>${text}</p>`);
}

interface Linked {
  address: string;
  page: Pick<StatusPageDocument, 'title' | 'color'>;
}

/** Returns the page of a link in a mail, with its button. GET changes nothing, because mail filters open links too. */
export function buttonPage(
  language: PageLanguage,
  button: 'confirm' | 'stop',
  { address, page }: Linked,
  { token, path }: { token: string; path: string },
): HtmlPage {
  const words = SUBSCRIPTION_WORDS[language][button];
  // Relative to the page, whatever path a proxy puts before.
  const form = `<form method="post" action="${path.slice(1)}">
<input type="hidden" name="${TOKEN_PARAMETER}" value="${fitted(token, TOKEN_BYTES_MAX)}">
<button>${words.button}</button>
</form>`;
  return plainPage(language, words.title, `<p>${fitted(words.text(page.title, address), TEXT_BYTES_MAX)}</p>\n${form}`);
}

export function confirmedPage(language: PageLanguage, { address, page }: Linked): HtmlPage {
  const { title, text } = SUBSCRIPTION_WORDS[language].confirmed;
  return plainPage(language, title, `<p>${fitted(text(page.title, address), TEXT_BYTES_MAX)}</p>`);
}

function plainPage(language: PageLanguage, title: string, content: string): HtmlPage {
  const body = `<main><h1>${title}</h1>\n${content}</main>`;
  return framed({ language, title, accent: COLOR, head: '', body });
}
