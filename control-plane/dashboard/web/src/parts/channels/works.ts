import type { Channel } from '../../api/types.ts';

/** `failed`: the newest message did not arrive. `unknown`: none was sent with the present settings. */
type Working = 'works' | 'failed' | 'unknown' | 'off';

type Judged = Pick<Channel, 'enabled' | 'last_delivery' | 'last_test' | 'updated_at'>;

/** Returns whether a channel works, by the newest notification or test. Pure. */
export function workingOf({ enabled, last_delivery, last_test, updated_at: changedAt }: Judged): Working {
  if (!enabled) return 'off';
  const [newest] = [last_delivery, last_test]
    .filter((attempt) => attempt !== null && attempt.at > changedAt)
    .toSorted((a, b) => ((a?.at ?? '') < (b?.at ?? '') ? 1 : -1));
  if (newest == null) return 'unknown';
  return newest.status === 'sent' ? 'works' : 'failed';
}

/** Returns whether an incident reaches nobody: no channel is on and has not failed. Pure. */
export function reachesNobody(channels: readonly Judged[]): boolean {
  return channels.every((channel) => ['failed', 'off'].includes(workingOf(channel)));
}
