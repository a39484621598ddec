import { type Actor, hasScope } from '../../actor.js';
import type { MonitorDocument } from '../documents.js';
import type { MonitorNeeds } from '../needs.js';
import { shownSettings } from '../settings/masks.js';

/** Whether the actor sees the secrets of monitors: those who may set them. */
export function seesSecrets(actor: Actor): boolean {
  return hasScope(actor, 'monitors:write');
}

/** Returns the monitor as the actor sees it: with the secrets, or with masks. */
export function shownTo(
  { secrets }: Pick<MonitorNeeds, 'secrets'>,
  actor: Actor,
  monitor: MonitorDocument,
): MonitorDocument {
  if (!seesSecrets(actor)) return shownSettings(monitor);
  const { url, http } = secrets.settings(monitor);
  return { ...monitor, url, http };
}
