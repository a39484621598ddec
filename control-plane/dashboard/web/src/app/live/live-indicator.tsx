import { texts } from '../../texts/app/texts.ts';
import { clockTime } from '../../texts/format.ts';
import type { Liveness } from './freshness.ts';
import { useLiveness } from './use-live.ts';

/** Says whether what is shown is fresh, so that nobody takes old data for the present. */
export function LiveIndicator() {
  const liveness = useLiveness();
  return (
    <span className={`live live-${liveness.state}`} role="status">
      <span className="live-dot" aria-hidden="true" />
      {textOf(liveness)}
    </span>
  );
}

function textOf({ state, since }: Liveness): string {
  if (state === 'live') return texts.frame.live;
  if (since === null) return state === 'lost' ? texts.frame.unreachable : texts.frame.connecting;
  return state === 'lost' ? texts.frame.reconnecting(clockTime(since)) : texts.frame.updating(clockTime(since));
}
