import type { Incident } from '../../api/types.ts';
import { between } from '../../texts/format.ts';

/**
 * Returns how long an incident lasted; null while it lasts. By its times as the page shows them, like every other duration
 * beside it: the milliseconds that the page leaves out could make two of them contradict each other. Pure.
 */
export function lastedOf({ started_at, resolved_at }: Pick<Incident, 'started_at' | 'resolved_at'>): string | null {
  return resolved_at === null ? null : between(started_at, resolved_at);
}
