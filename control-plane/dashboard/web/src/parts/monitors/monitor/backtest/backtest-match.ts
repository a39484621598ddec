import type { Backtest } from '../../../../api/types.ts';

/** An alert of the past, or one that other settings would have caused. Times in milliseconds. */
export interface ComparedAlert {
  key: string;
  startedAt: string;
  durationSeconds: number | null;
  fate: 'kept' | 'dropped' | 'added';
}

interface Span {
  started_at: string;
  resolved_at: string | null;
}

/**
 * Returns what would have become of each alert, the newest first: an alert is kept if a simulated outage was at the same
 * time; outages at no alert's time are added. Pure.
 */
export function compareAlerts({ were, would_have_been: would }: Pick<Backtest, 'were' | 'would_have_been'>) {
  const past = were.map(
    (alert): ComparedAlert => ({
      key: alert.id,
      startedAt: alert.started_at,
      durationSeconds: alert.duration_seconds,
      fate: would.some((outage) => overlaps(alert, outage)) ? 'kept' : 'dropped',
    }),
  );
  const added = would
    .filter((outage) => !were.some((alert) => overlaps(alert, outage)))
    .map(
      (outage): ComparedAlert => ({
        key: outage.started_at,
        startedAt: outage.started_at,
        durationSeconds: outage.duration_seconds,
        fate: 'added',
      }),
    );
  return [...past, ...added].sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
}

function overlaps(one: Span, other: Span): boolean {
  const end = ({ resolved_at }: Span) => (resolved_at === null ? Number.POSITIVE_INFINITY : Date.parse(resolved_at));
  return Date.parse(one.started_at) <= end(other) && Date.parse(other.started_at) <= end(one);
}
