import type { Incident } from '../../api/types.ts';
import type { State } from '../../components/status-mark.tsx';

/**
 * Returns what the mark of an incident shows: how bad it is while it fires, otherwise its status. Somebody's
 * acknowledgement does not make it less bad; the row says it in words.
 */
export function shownState({ status, severity }: Incident): State {
  return status === 'firing' ? severity : status;
}

/** Whether a person ended the incident. Picket ends one itself when its problem is over, so the problem still existed. */
export function resolvedEarly({ resolution }: Pick<Incident, 'resolution'>): boolean {
  return resolution === 'manual';
}
