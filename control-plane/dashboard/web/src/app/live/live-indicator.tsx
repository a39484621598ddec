import { useEffect, useState } from 'react';
import { logInElsewhereUrl } from '../../api/log-in-url.ts';
import { Said } from '../../components/said.tsx';
import { type Said as Sentence, say } from '../../texts/said.ts';
import type { Liveness } from './freshness.ts';
import { texts } from './texts/texts.ts';
import { useLiveness } from './use-live.ts';
import { isWorthSaying, QUIET_MS } from './worth-saying.ts';

/** Says whether what is shown is fresh, so that old data are not taken for the present. */
export function LiveIndicator() {
  const liveness = useLiveness();
  const isSaid = useIsSaid(liveness);
  return (
    <span
      className={`live live-${liveness.state} ${isSaid && liveness.state !== 'live' ? 'live-speaks' : ''}`}
      role="status"
    >
      <span className="live-dot" aria-hidden="true" />
      <span>
        {isSaid ? <Said words={sentenceOf(liveness)} /> : null}
        {liveness.state === 'logged_out' ? <LogIn /> : null}
      </span>
    </span>
  );
}

/** In another tab, as the question of the page: what was typed stays. */
function LogIn() {
  return (
    <>
      {' '}
      <a href={logInElsewhereUrl()} target="_blank" rel="noopener">
        {texts.logIn}
      </a>
    </>
  );
}

/** Whether the state has lasted long enough to be said. */
function useIsSaid(liveness: Liveness): boolean {
  const isUnsettled = liveness.state === 'connecting' || liveness.state === 'catching_up';
  const [began, setBegan] = useState({ isUnsettled, atMs: performance.now() });
  const [, setPassed] = useState(0);
  if (began.isUnsettled !== isUnsettled) setBegan({ isUnsettled, atMs: performance.now() });
  useEffect(() => {
    if (!isUnsettled) return;
    const timer = setTimeout(() => setPassed(performance.now()), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isUnsettled]);
  return isWorthSaying(liveness, performance.now() - began.atMs, Date.now());
}

const WITHOUT_DATA = {
  connecting: texts.connecting,
  catching_up: texts.connecting,
  lost: texts.unreachable,
  logged_out: texts.loggedOut,
  elsewhere: texts.elsewhere,
};

const WITH_DATA = {
  connecting: texts.updating,
  catching_up: texts.updating,
  lost: texts.reconnecting,
  logged_out: texts.loggedOutSince,
  elsewhere: texts.elsewhereSince,
};

function sentenceOf({ state, since }: Liveness): Sentence {
  if (state === 'live') return [texts.live];
  if (state === 'polled') return [texts.polled];
  if (state === 'waiting') return [texts.waiting];
  if (since === null) return [WITHOUT_DATA[state]];
  return say((time) => WITH_DATA[state](time(since, 'second')));
}
