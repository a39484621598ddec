import type { Incident } from '../../api/types.ts';
import type { State } from '../../components/status-mark.tsx';

/** Returns what the mark of an incident shows: how bad it is while it fires, otherwise its status. */
export function shownState({ status, severity, acknowledged_at }: Incident): State {
  if (status !== 'firing') return status;
  return acknowledged_at === null ? severity : 'acknowledged';
}
