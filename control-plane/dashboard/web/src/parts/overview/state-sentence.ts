import type { MonitorTotals } from '../../api/types.ts';
import type { Count } from '../../texts/app/en.ts';
import { texts } from '../../texts/app/texts.ts';
import { duration } from '../../texts/format.ts';
import { type Said, say } from '../../texts/said.ts';
import type { Broken } from './broken.ts';

/** Everything that the workspace watches, in numbers. */
export interface Counts {
  monitors: Pick<MonitorTotals, 'monitors' | 'by_status'>;
  servers: number;
  offline: Count;
  /** Servers with a disk that will be full within a day, of which no incident says so. */
  filling: number;
  /** Addresses and domains whose blacklists are checked. */
  targets: number;
  listed: Count;
  /** Targets of which no list has answered: they count neither as listed nor as clean. */
  unknown: Count;
  /** Whether more incidents fire than the overview has read. */
  hasMoreFiring: boolean;
}

/** Returns the state of everything in one sentence; `broken` is in order, the worst first. Pure. */
export function stateSentence(broken: readonly Broken[], counts: Counts, nowMs: number): Said {
  const words = texts.overview;
  if (broken.length === 0) return [wellSentences(counts)];
  const outages = broken.filter(({ isOutage }) => isOutage);
  // They are read at different times, so an incident may be known before its monitor is counted.
  const down = Math.max(counts.monitors.by_status.down, outages.length);
  if (down > 1) return [words.manyDown(down)];
  const [outage] = outages;
  if (outage !== undefined) {
    const { name, since } = outage;
    return say((time) => words.oneDown(name, time(since), duration(nowMs - Date.parse(since))));
  }
  const firing = broken.filter(({ isSilenced }) => !isSilenced).length;
  if (firing === 0) return [`${wellSentences(counts)} ${words.silenced(broken.length)}`.trim()];
  return [counts.hasMoreFiring ? texts.incidents.moreFiring(firing) : words.otherProblem(firing)];
}

/** Returns the tone of the sentence. Pure. */
export function stateTone([worst]: readonly Broken[], counts: Counts): 'up' | 'down' | 'warning' | 'idle' {
  if (worst?.isSilenced === true) return 'warning';
  if (worst !== undefined) return worst.severity === 'critical' ? 'down' : 'warning';
  if (counts.offline.count + counts.filling + counts.listed.count > 0) return 'warning';
  const { up, degraded } = counts.monitors.by_status;
  return up + degraded + counts.servers + counts.targets - counts.unknown.count === 0 ? 'idle' : 'up';
}

/** No incident fires, and no monitor is down. */
function wellSentences({ monitors, servers, offline, filling, targets, listed, unknown }: Counts): string {
  const words = texts.overview;
  const hasMonitors = monitors.monitors > 0;
  return [
    ...(hasMonitors ? [monitorsSentence(monitors)] : []),
    ...(servers > 0 && (offline.count > 0 || !hasMonitors) ? [words.servers(servers, offline)] : []),
    ...(filling > 0 ? [words.filling.sentence(filling)] : []),
    ...(targets > 0 && (listed.count > 0 || (!hasMonitors && servers === 0))
      ? [words.targets(targets, listed, unknown)]
      : []),
  ].join(' ');
}

function monitorsSentence({ monitors, by_status }: Counts['monitors']): string {
  const words = texts.overview;
  const { degraded, paused, unknown } = by_status;
  if (paused === monitors) return words.allPaused;
  if (unknown > 0) return words.someWaiting(monitors - paused - unknown, monitors, unknown, paused);
  if (degraded > 0) return words.someDegraded(monitors - paused, degraded, paused);
  return paused === 0 ? words.allUp(monitors) : words.allUpButPaused(monitors - paused, paused);
}
