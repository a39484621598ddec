import type { MaintenanceWindow } from '../../api/types.ts';
import { type Said, say } from '../../texts/said.ts';
import { texts } from './texts/texts.ts';

/** Returns what a window does now. Pure. */
export function stateSentence({ active_until, next_occurrences, ends_at }: MaintenanceWindow): Said {
  const [next] = next_occurrences;
  if (active_until !== null) return say((time) => texts.until(time(active_until)));
  if (next !== undefined) return say((time) => texts.from(time(next.starts_at), time(next.ends_at)));
  return ends_at === null ? [texts.over] : say((time) => texts.ended(time(ends_at)));
}

/** Returns what a window is for, in numbers. Pure. */
export function targetsSentence({ everything, monitor_ids, server_ids, tags }: MaintenanceWindow): string {
  return everything ? texts.forEverything : texts.forTargets(monitor_ids.length, server_ids.length, tags);
}
