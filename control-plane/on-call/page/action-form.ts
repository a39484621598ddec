import type { IncidentDocument } from '../../incidents/documents.js';
import { CHOICES, type Choice, isDone } from '../act.js';
import { PAGE_PATH, TOKEN_PARAMETER } from '../action-link.js';
import type { OpenedLink } from '../open-link.js';
import { fitted } from './fitted.js';
import type { Texts } from './texts/texts.js';

const MINUTE_MS = 60_000;
const TOKEN_BYTES_MAX = 200;

/** The field of the form that names the choice. */
export const ACTION_FIELD = 'action';

/**
 * Returns the form with a button for each choice that is left; nothing without any. It is sent to the path of the page,
 * relative to it, whatever path a proxy puts before.
 */
export function actionForm(
  incident: IncidentDocument,
  opened: Pick<OpenedLink, 'link' | 'channel'>,
  token: string,
  words: Texts,
): string {
  const left = CHOICES.filter(({ action }) => incident.status !== 'resolved' && !isDone(action, incident, opened));
  if (left.length === 0) return '';
  const silences = left.filter(({ action }) => action === 'silence').map((choice) => button(choice, words));
  const fieldset = `<fieldset>
<legend>${words.silence}</legend>
${silences.join('\n')}
</fieldset>`;
  return `<form method="post" action="${PAGE_PATH.slice(1)}">
<input type="hidden" name="${TOKEN_PARAMETER}" value="${fitted(token, TOKEN_BYTES_MAX)}">
${left
  .filter(({ action }) => action === 'acknowledge')
  .map((choice) => button(choice, words))
  .join('\n')}
${silences.length === 0 ? '' : fieldset}
</form>`;
}

function button(choice: Choice, words: Texts): string {
  const look = choice.action === 'acknowledge' ? ' class="first"' : '';
  return `<button${look} name="${ACTION_FIELD}" value="${choice.value}">${labelOf(choice, words)}</button>`;
}

function labelOf(choice: Choice, words: Texts): string {
  if (choice.action === 'acknowledge') return `${words.acknowledge}<small>${words.acknowledgeHelp}</small>`;
  if (choice.forMinutes === null) return words.silenceUntilResolved;
  return words.silenceFor(words.duration(choice.forMinutes * MINUTE_MS));
}
