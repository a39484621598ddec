/**
 * A second, slow and obvious implementation of section 5 of the contract, which shares no code
 * with the product: it keeps all results and counts in loops.
 */
export interface RefResult {
  location: string;
  checkedAt: number;
  receivedAt: number;
  responseTime: number;
  up: boolean;
  final: boolean;
  slot: number;
  attempt: number;
}

export interface RefWorld {
  locations: string[];
  confirmations: number | null;
  intervalSeconds: number;
  results: RefResult[];
  connected: Set<string>;
  quarantined: Set<string>;
  doubted: Set<string>;
  now: number;
}

interface Run {
  since: number;
  usedUp: boolean;
}

export type RefStatus = 'up' | 'down';

export function createReference() {
  let status: RefStatus = 'up';
  let recovering = false;
  let goodRoundAt = 0;
  let evaluatedThrough = 0;
  let troubleSince: number | null = null;
  let runs: Record<string, Run> = {};

  function newest(world: RefWorld, location: string): RefResult | null {
    let best: RefResult | null = null;
    for (const result of world.results) {
      if (result.location !== location) continue;
      if (best === null || result.slot > best.slot || (result.slot === best.slot && result.attempt > best.attempt)) {
        best = result;
      }
    }
    return best;
  }

  const madeAt = (result: RefResult) => Math.min(result.receivedAt, result.checkedAt);
  const fromDisk = (result: RefResult) => result.receivedAt - (result.checkedAt + result.responseTime) > 30_000;

  return {
    get status() {
      return status;
    },
    get recovering() {
      return recovering;
    },
    step(world: RefWorld): void {
      const validFor = world.intervalSeconds * 2 < 90 ? 90_000 : world.intervalSeconds * 2_000;
      const latest = world.locations.map((location) => ({ location, result: newest(world, location) }));
      let newestEvaluated = evaluatedThrough;
      for (const { result } of latest) {
        if (result !== null && !fromDisk(result) && madeAt(result) > newestEvaluated) newestEvaluated = madeAt(result);
      }
      // Quarantined locations do not vote if fewer than half of the locations that could vote are quarantined.
      let sick = 0;
      let able = 0;
      for (const location of world.locations) {
        if (world.quarantined.has(location)) sick += 1;
        if (world.quarantined.has(location) || world.connected.has(location)) able += 1;
      }
      const muted = sick + sick < able;
      const up: RefResult[] = [];
      const down: RefResult[] = [];
      const retrying: RefResult[] = [];
      const doubted: RefResult[] = [];
      // A late result has replaced a vote that may have been up or down.
      let pending = 0;
      const nextRuns: Record<string, Run> = {};
      for (const { location, result } of latest) {
        if (result === null) continue;
        const age = world.now - madeAt(result);
        const stale = age > validFor || age < -validFor;
        const late = fromDisk(result) && madeAt(result) < newestEvaluated;
        const mayVote = world.connected.has(location) && !(muted && world.quarantined.has(location));
        const run = runs[location];
        if (!result.up && (!stale || !mayVote) && !(mayVote && late)) {
          nextRuns[location] = {
            since: run === undefined ? madeAt(result) : run.since,
            usedUp: run?.usedUp === true || result.final,
          };
        } else if (!result.up && mayVote && late && !stale && run !== undefined) nextRuns[location] = run;
        if (mayVote && late && !stale) pending += 1;
        if (stale || late || !mayVote) continue;
        if (result.up) up.push(result);
        else if (!result.final && run?.usedUp !== true) retrying.push(result);
        else if (world.doubted.has(location)) doubted.push(result);
        else down.push(result);
      }
      runs = nextRuns;
      const valid = up.length + down.length + retrying.length + doubted.length;
      let majority = 0;
      while (majority * 2 <= valid + pending) majority += 1;
      if (world.locations.length >= 2 && majority < 2) majority = 2;
      let needed = world.confirmations ?? majority;
      if (needed > world.locations.length) needed = world.locations.length;
      // Doubtful votes count only if they could decide against locations that disagree.
      const sure = needed < majority && up.length > 0 ? down : [...down, ...doubted];
      const failing = down.length + doubted.length + retrying.length;

      const firstFailed = beginning([...down, ...doubted, ...retrying], validFor);
      const wasStatus = status;
      const wasTrouble = troubleSince;
      const wasRecovering = recovering;
      if (valid === 0 || valid < needed) {
        // With too few votes, the status stays. A failure is still remembered.
        if (status === 'up' && failing > 0) troubleSince = firstFailed ?? troubleSince;
      } else if (status === 'up') {
        if (sure.length >= needed && !waits(world, up, retrying, sure, needed)) status = 'down';
        troubleSince = failing === 0 ? null : (firstFailed ?? troubleSince);
      } else if (failing + pending < needed) {
        if (!recovering) {
          recovering = true;
          goodRoundAt = Math.max(0, ...[...up, ...down, ...doubted, ...retrying].map(madeAt));
        } else {
          const again = up.filter((result) => madeAt(result) > goodRoundAt);
          // Too few fail, even if every location without a new check counts as failing.
          if (valid + pending - again.length < needed) {
            status = 'up';
            recovering = false;
            troubleSince = failing === 0 ? null : (firstFailed ?? troubleSince);
          }
        }
      } else if (sure.length >= needed) recovering = false;
      const phaseChanged =
        wasStatus !== status ||
        wasRecovering !== recovering ||
        (status === 'up' && (wasTrouble === null) !== (troubleSince === null));
      if (phaseChanged) {
        evaluatedThrough = Math.max(newestEvaluated, ...[...up, ...down, ...doubted, ...retrying].map(madeAt));
      }

      function beginning(failed: RefResult[], gap: number): number | null {
        const starts = failed.map((result) => nextRuns[result.location]?.since ?? 0).sort((a, b) => a - b);
        if (starts.length === 0) return null;
        let first = starts.length - 1;
        while (first > 0 && (starts[first] ?? 0) - (starts[first - 1] ?? 0) <= gap) first -= 1;
        return starts[first] ?? null;
      }

      function waits(of: RefWorld, ups: RefResult[], tries: RefResult[], sures: RefResult[], need: number): boolean {
        const trouble = firstFailed ?? troubleSince ?? Math.min(...sures.map(madeAt));
        const silent = tries.length > 0 || pending > 0 || ups.some((result) => madeAt(result) < trouble);
        const arrivals = sures.map((result) => result.receivedAt).sort((a, b) => a - b);
        const end = (arrivals[need - 1] ?? 0) + 700;
        return silent && end > of.now && end - of.now <= 700;
      }
    },
  };
}
