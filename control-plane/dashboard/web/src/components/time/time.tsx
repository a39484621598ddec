import { useSyncExternalStore } from 'react';
import { duration, longDay, secondTime, shortTime } from '../../texts/format.ts';
import { ExactTime } from './exact-time.tsx';

const TICK_MS = 1_000;

let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** One timer for all times of the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    nowMs = Date.now();
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time, every second again. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

/** A time of today, or with its day; the exact time in the viewer's zone and in UTC is shown on focus. */
export function Time({ at }: { at: string }) {
  return <ExactTime at={at}>{shortTime(at, Date.now())}</ExactTime>;
}

/** As `Time`, to the second. */
export function SecondTime({ at }: { at: string }) {
  return <ExactTime at={at}>{secondTime(at, Date.now())}</ExactTime>;
}

/** As `Time`, within a link or a summary, which takes the focus itself. */
export function LinkTime({ at }: { at: string }) {
  return (
    <ExactTime at={at} isInLink>
      {shortTime(at, Date.now())}
    </ExactTime>
  );
}

/** A day that may be in another year, such as that of an expiry. */
export function Day({ at }: { at: string }) {
  return <ExactTime at={at}>{longDay(at)}</ExactTime>;
}

interface SinceProps {
  at: string;
  /** Makes a sentence of the duration. */
  wrap: (lasted: string) => string;
  className?: string;
}

/** How long ago something was. */
export function Since({ at, wrap, className = '' }: SinceProps) {
  const now = useNow();
  return (
    <ExactTime at={at} className={className}>
      {wrap(duration(now - Date.parse(at)))}
    </ExactTime>
  );
}

/** As `Since`, within a link, which takes the focus itself. */
export function LinkSince({ at, wrap, className = '' }: SinceProps) {
  const now = useNow();
  return (
    <ExactTime at={at} className={className} isInLink>
      {wrap(duration(now - Date.parse(at)))}
    </ExactTime>
  );
}
