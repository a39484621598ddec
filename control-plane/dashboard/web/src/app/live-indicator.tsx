import { texts } from '../texts/app/texts.ts';
import { clockTime } from '../texts/format.ts';
import { useLiveness } from './live.ts';

/** Says whether what is shown is fresh, so that nobody takes old data for the present. */
export function LiveIndicator() {
  const { isLive, since } = useLiveness();
  const text =
    since === null ? texts.frame.connecting : isLive ? texts.frame.live : texts.frame.reconnecting(clockTime(since));
  return (
    <span className={`live ${isLive ? '' : 'live-lost'}`} role="status">
      <span className="live-dot" aria-hidden="true" />
      {text}
    </span>
  );
}
