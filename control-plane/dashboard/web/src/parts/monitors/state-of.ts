import type { Monitor } from '../../api/types.ts';

/** Returns the status to show: before its first result a monitor is "up" in the API, and nothing is known. */
export function stateOf({ status, last_checked_at }: Monitor): 'up' | 'down' | 'paused' | 'unknown' {
  return status === 'up' && last_checked_at === null ? 'unknown' : status;
}
