import type { IncidentDocument } from '../../incidents/documents.js';
import { ACTIONS, type Action, isDone } from '../act.js';
import { PAGE_PATH, TOKEN_PARAMETER } from '../action-link.js';
import { fitted } from './fitted.js';

const TOKEN_BYTES_MAX = 200;

/** The field of the form that names the action. */
export const ACTION_FIELD = 'action';

const BUTTONS: Record<Action, { label: string; effect: string }> = {
  acknowledge: { label: 'Acknowledge', effect: 'You are on it: reminders and escalation stop' },
  silence: { label: 'Silence', effect: 'No more notifications until it is resolved' },
};

/**
 * Returns the form with a button for each action that is left; nothing without any. It is sent to the path of the page,
 * relative to it, whatever path a proxy puts before.
 */
export function actionForm(incident: IncidentDocument, token: string): string {
  const left = ACTIONS.filter((action) => incident.status !== 'resolved' && !isDone(action, incident));
  if (left.length === 0) return '';
  const buttons = left.map((action) => {
    const { label, effect } = BUTTONS[action];
    const look = action === 'acknowledge' ? ' class="first"' : '';
    return `<button${look} name="${ACTION_FIELD}" value="${action}">${label}<small>${effect}</small></button>`;
  });
  return `<form method="post" action="${PAGE_PATH.slice(1)}">
<input type="hidden" name="${TOKEN_PARAMETER}" value="${fitted(token, TOKEN_BYTES_MAX)}">
${buttons.join('\n')}
</form>`;
}
