import { texts } from '../../texts/app/texts.ts';
import { duration, shortTime } from '../../texts/format.ts';
import type { Broken } from './broken.ts';

export interface MonitorCounts {
  all: number;
  down: number;
  paused: number;
  /** Without a first result, of the newest ones. */
  waiting: number;
  /** Whether there are more than the overview has read. */
  hasMoreDown: boolean;
  hasMorePaused: boolean;
  hasMoreFiring: boolean;
  hasMoreWaiting: boolean;
}

/** Returns the state of everything in one sentence; `broken` is in order, the worst first. Pure. */
export function stateSentence(broken: readonly Broken[], counts: MonitorCounts, nowMs: number): string {
  const words = texts.overview;
  if (broken.length === 0) return wellSentence(counts);
  if (counts.hasMoreDown) return words.moreDown(counts.down);
  if (counts.down > 1) return words.manyDown(counts.down);
  const outage = broken.find(({ isOutage }) => isOutage);
  if (counts.down === 1 && outage !== undefined) {
    const { name, since } = outage;
    return words.oneDown(name, shortTime(since, nowMs), duration(nowMs - Date.parse(since)));
  }
  return counts.hasMoreFiring ? texts.incidents.moreFiring(broken.length) : words.otherProblem(broken.length);
}

/** Nothing is broken. */
function wellSentence({ all, paused, waiting, hasMorePaused, hasMoreWaiting }: MonitorCounts): string {
  const words = texts.overview;
  if (paused === all) return words.allPaused;
  if (hasMorePaused) return words.manyPaused(paused);
  if (hasMoreWaiting) return words.manyWaiting(waiting);
  if (waiting > 0) return words.someWaiting(Math.max(0, all - paused - waiting), all, waiting, paused);
  return paused === 0 ? words.allUp(all) : words.allUpButPaused(all - paused, paused);
}
