import type { Language } from '../http/client/language.js';
import { fitted, isolated } from '../on-call/page/fitted.js';
import { framed } from '../on-call/page/frame.js';
import { CONFIRM_PATH, type RecipientLink, STOP_PATH, TOKEN_PARAMETER } from '../recipients/recipients.js';
import { TEXTS } from './texts/texts.js';

const TEXT_BYTES_MAX = 1_000;
const URL_BYTES_MAX = 2_000;
const TOKEN_BYTES_MAX = 600;

/** The field of the form that names the action. */
export const ACTION_FIELD = 'action';

/** The page that asks whether an address wants the mails. */
export function questionPage(language: Language, link: RecipientLink & { askedBy: string }, token: string): string {
  const words = TEXTS[language].question;
  return page(language, words.title, [
    words.askedHtml(isolated(link.askedBy, TEXT_BYTES_MAX), named(link), addressed(link)),
    words.what,
    form({ path: CONFIRM_PATH, token, action: 'confirm', label: words.confirm, isFirst: true }),
    words.otherwise,
  ]);
}

export function confirmedPage(language: Language, link: RecipientLink): string {
  const words = TEXTS[language].confirmed;
  return page(language, words.title, [words.textHtml(named(link), addressed(link)), words.stop]);
}

/** The page that stops the mails. */
export function stopPage(language: Language, link: RecipientLink, token: string): string {
  const words = TEXTS[language].stop;
  return page(language, words.title, [
    words.textHtml(named(link), addressed(link)),
    form({ path: STOP_PATH, token, action: 'stop', label: words.button, isFirst: true }),
  ]);
}

/** The page after that, from which somebody who did not want it takes it back. */
export function stoppedPage(language: Language, link: RecipientLink, token: string): string {
  const words = TEXTS[language].stopped;
  return page(language, words.title, [
    words.textHtml(named(link), addressed(link)),
    form({ path: STOP_PATH, token, action: 'resume', label: words.resume, isFirst: false }),
  ]);
}

export function resumedPage(language: Language, link: RecipientLink): string {
  const words = TEXTS[language].resumed;
  return page(language, words.title, [words.textHtml(named(link), addressed(link))]);
}

/** The page after a stop that ended, for an address that gets nothing yet. */
export function notResumedPage(language: Language, link: RecipientLink): string {
  const words = TEXTS[language].notResumed;
  return page(language, words.title, [words.textHtml(named(link), addressed(link)), words.ask]);
}

/** The page for a link that does not work, or while it cannot be read. It says nothing of an address or a workspace. */
export function noticePage(
  language: Language,
  notice: 'refused' | 'tooMany' | 'unavailable',
  publicUrl: string,
): string {
  const { title, text } = TEXTS[language][notice];
  const open = `<p class="links"><a href="${fitted(publicUrl, URL_BYTES_MAX)}/" rel="noreferrer">${TEXTS[language].openPicket}</a></p>`;
  return page(language, title, notice === 'unavailable' ? [text] : [text, open]);
}

/** The parts are HTML; each without an element of its own is a paragraph. */
function page(language: Language, title: string, parts: readonly string[]): string {
  const blocks = parts.map((part) => (/^<(?:form|p)\b/.test(part) ? part : `<p>${part}</p>`));
  return framed(language, title, [`<h1>${title}</h1>`, ...blocks].join('\n'));
}

function named({ workspace }: RecipientLink): string {
  return `<b>${isolated(workspace, TEXT_BYTES_MAX)}</b>`;
}

function addressed({ address }: RecipientLink): string {
  return `<b>${isolated(address, TEXT_BYTES_MAX)}</b>`;
}

interface Form {
  path: string;
  token: string;
  action: string;
  label: string;
  /** Whether its button is the main one of the page. */
  isFirst: boolean;
}

/** The form is sent to the path of the page, relative to it, whatever path a proxy puts before. */
function form({ path, token, action, label, isFirst }: Form): string {
  return `<form method="post" action="${path.slice(1)}">
<input type="hidden" name="${TOKEN_PARAMETER}" value="${fitted(token, TOKEN_BYTES_MAX)}">
<button${isFirst ? ' class="first"' : ''} name="${ACTION_FIELD}" value="${action}">${label}</button>
</form>`;
}
