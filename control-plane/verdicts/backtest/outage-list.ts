import type { Severity } from '../rule/tally.js';
import type { Verdict } from '../rule/verdict.js';

/** An outage as the tested settings would have detected it. */
export interface SimulatedOutage {
  startedAtMs: number;
  confirmedAtMs: number;
  /** null: it had not ended by the last result. */
  resolvedAtMs: number | null;
  /** The highest severity of the outage. */
  severity: Severity;
  /** Locations that voted down when it was confirmed. */
  locations: string[];
}

/** Collects the outages from the verdicts of a simulation. */
export function createOutageList() {
  const outages: SimulatedOutage[] = [];
  return {
    add({ phase, next, severity, votes, situation }: Verdict, atMs: number): void {
      const open = outages.at(-1);
      if (phase.to === 'down' && (phase.from === 'up' || phase.from === 'suspect')) {
        outages.push({
          startedAtMs: next.first_failed_at_ms ?? atMs,
          confirmedAtMs: atMs,
          resolvedAtMs: null,
          severity,
          locations: votes.filter((vote) => vote.vote === 'down').map((vote) => vote.location),
        });
      } else if (open !== undefined && phase.from === 'recovering' && phase.to === 'up') {
        open.resolvedAtMs = atMs;
      } else if (open !== undefined && next.status === 'down' && situation === 'failing') {
        if (severity === 'critical') open.severity = 'critical';
      }
    },
    all: (): SimulatedOutage[] => outages,
  };
}
