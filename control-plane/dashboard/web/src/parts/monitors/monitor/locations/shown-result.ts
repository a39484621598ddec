import type { Monitor, Result } from '../../../../api/types.ts';

type State = Pick<Monitor['location_status'][number], 'status' | 'checked_at'>;

/**
 * Returns the listed result that the row of a location shows. The list is read less often than the state, and a row must
 * not mix two checks: while a location is up, all of the row is of the listed one; otherwise the phases of a result are shown
 * only if it made the state. Pure.
 */
export function shownResult<Shown extends Pick<Result, 'status' | 'checked_at'>>(
  listed: Shown | undefined,
  state: State,
): Shown | undefined {
  if (listed === undefined || listed.checked_at === state.checked_at) return listed;
  return state.status === 'up' && listed.status === 'up' ? listed : undefined;
}
