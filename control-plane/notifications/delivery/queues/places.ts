/**
 * What the last delivery to a channel showed. prompt: it ended soon. unknown: there was none yet. slow: it took long, such as
 * that to a receiver that never answers.
 */
export type Pace = 'prompt' | 'unknown' | 'slow';

/** A channel that is served, or waits to be. */
export interface Place {
  workspaceId: string;
  pace: Pace;
}

/** How many channels are served at once. */
export interface PlaceLimits {
  all: number;
  /** Of those that are slow or unknown: accounts with new channels cannot take the other places. */
  unproven: number;
  /** Of those that are slow. */
  slow: number;
  /** From this number on, a workspace has limits of its own: before, no other is in its way. */
  crowded: number;
  /** Of one workspace. */
  workspace: number;
  /** Of those that are slow, of one workspace. */
  workspaceSlow: number;
}

/**
 * One that hangs occupies a place for 16 s, a mail for a minute, then waits for its backoff. As long as most places are free, a
 * workspace whose channels hang serves its others at once; then it has so few that those of many together do not take all.
 */
export const PLACE_LIMITS: PlaceLimits = {
  ...{ all: 128, unproven: 96, slow: 48 },
  ...{ crowded: 32, workspace: 8, workspaceSlow: 4 },
};

/** A delivery that takes longer shows that its channel is slow. */
const PROMPT_MS_MAX = 5_000;

export function paceOf(durationMs: number): Pace {
  return durationMs <= PROMPT_MS_MAX ? 'prompt' : 'slow';
}

/**
 * Returns which of the waiting may be served now, besides those that are: of the workspace with the fewest, and the
 * first of those. Null if none may. Pure.
 */
export function nextToServe<P extends Place>(
  waiting: Iterable<P>,
  served: Iterable<Place>,
  limits: PlaceLimits,
): P | null {
  const running = countsOf(served);
  let best: { one: P; own: number } | null = null;
  for (const one of waiting) {
    const own = running.ofWorkspace.get(one.workspaceId)?.all ?? 0;
    if ((best === null || own < best.own) && mayBegin(one, running, limits)) best = { one, own };
  }
  return best?.one ?? null;
}

interface Counts {
  all: number;
  unproven: number;
  slow: number;
  ofWorkspace: Map<string, { all: number; slow: number }>;
}

function countsOf(served: Iterable<Place>): Counts {
  const counts: Counts = { all: 0, unproven: 0, slow: 0, ofWorkspace: new Map() };
  for (const { workspaceId, pace } of served) {
    const own = counts.ofWorkspace.get(workspaceId) ?? { all: 0, slow: 0 };
    counts.ofWorkspace.set(workspaceId, own);
    counts.all += 1;
    own.all += 1;
    if (pace !== 'prompt') counts.unproven += 1;
    if (pace !== 'slow') continue;
    counts.slow += 1;
    own.slow += 1;
  }
  return counts;
}

function mayBegin({ workspaceId, pace }: Place, running: Counts, limits: PlaceLimits): boolean {
  const own = running.ofWorkspace.get(workspaceId) ?? { all: 0, slow: 0 };
  const isCrowded = running.all >= limits.crowded;
  if (running.all >= limits.all || (isCrowded && own.all >= limits.workspace)) return false;
  if (pace === 'prompt') return true;
  if (running.unproven >= limits.unproven) return false;
  return pace !== 'slow' || (running.slow < limits.slow && !(isCrowded && own.slow >= limits.workspaceSlow));
}
