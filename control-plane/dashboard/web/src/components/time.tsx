import { useSyncExternalStore } from 'react';
import { duration, exactTime, longDay, secondTime, shortTime } from '../texts/format.ts';

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

/** A time of today, or with its day; the exact time in the viewer's zone and in UTC is in the tooltip. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {shortTime(at, Date.now())}
    </time>
  );
}

/** As `Time`, to the second. */
export function SecondTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {secondTime(at, Date.now())}
    </time>
  );
}

/** A day that may be in another year, such as that of an expiry. */
export function Day({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {longDay(at)}
    </time>
  );
}

/** How long ago something was: `wrap` makes a sentence of the duration. */
export function Since({ at, wrap }: { at: string; wrap: (lasted: string) => string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactTime(at)}>
      {wrap(duration(now - Date.parse(at)))}
    </time>
  );
}
