/** The stream of events: `connecting` before the first one, `catching_up` while what is shown is read again. */
export type StreamState = 'connecting' | 'catching_up' | 'open' | 'lost';

/**
 * What the person is told. `polled`: what has changed is on the page soon, but not at once. `waiting`: a read has had no answer
 * for some time. `logged_out`: nothing is read before the person has logged in again; `elsewhere`: before they are in the workspace of the page again. `since` is when everything on the page
 * was certainly fresh; null before the first data.
 */
export interface Liveness {
  state: 'connecting' | 'live' | 'polled' | 'waiting' | 'catching_up' | 'lost' | 'logged_out' | 'elsewhere';
  since: string | null;
}

/** A query whose data are on the page. */
export interface ShownQuery {
  updatedAtMs: number;
  /** Whether an event said that the data have changed since. */
  isInvalidated: boolean;
  /** Whether the last attempt to read failed for a reason that has nothing to do with the data. */
  isFailing: boolean;
}

/**
 * Returns what to say of the data on the page. Pure. `provenMs` is when the stream last showed that nothing had changed
 * but what was read again, and `whenOpen` what an open stream means while every read is answered. Data are as old as the
 * oldest of them.
 */
export function livenessOf(
  stream: StreamState,
  shown: readonly ShownQuery[],
  provenMs: number,
  { whenOpen, heldBy }: { whenOpen: 'live' | 'polled' | 'waiting'; heldBy: 'logged_out' | 'elsewhere' | null },
): Liveness {
  const failing = shown.some(({ isFailing }) => isFailing);
  const broken = heldBy ?? 'lost';
  const state = stream === 'open' ? (failing ? broken : whenOpen) : stream === 'lost' ? broken : stream;
  const ages = shown
    .filter(({ updatedAtMs }) => updatedAtMs > 0)
    .map(({ updatedAtMs, isInvalidated, isFailing }) =>
      isInvalidated || isFailing ? updatedAtMs : Math.max(updatedAtMs, provenMs),
    );
  const oldestMs = ages.length === 0 ? provenMs : Math.min(...ages);
  return { state, since: oldestMs === 0 ? null : new Date(oldestMs).toISOString() };
}
