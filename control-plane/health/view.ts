import { toIso } from '../../kernel/clock.js';
import type { Backlog } from '../slice.js';
import type { DatabaseHealth } from '../storage/health/database-health.js';
import { REPORT_MS } from './reporter.js';
import type { Health } from './schema.js';
import type { AgedReport } from './store.js';

/** Two reports may be missing while the database elects a primary. */
const LOST_MS = 3 * REPORT_MS;
/** Above this, Picket also writes a warning to the log. */
const CLOCK_OFFSET_MS_MAX = 1_000;
const LATENCY_MS_MAX = 1_000;
const MEMBER_LAG_MS_MAX = 10_000;

/** Returns a control plane as the API shows it. Pure. */
export function controlPlaneView(
  report: AgedReport,
  held: readonly { name: string; owner: string }[],
): Health['control_planes'][number] {
  const { _id: id, version, age_ms, clock_offset_ms: offsetMs } = report;
  const state = report.stopped ? 'stopped' : age_ms > LOST_MS ? 'lost' : 'running';
  const isWrong = state === 'running' && Math.abs(offsetMs) > CLOCK_OFFSET_MS_MAX;
  return {
    ...{ id, version, state, ok: state !== 'lost' && !isWrong },
    started_at: toIso(report.started_at.getTime()),
    seen_at: toIso(report.seen_at.getTime()),
    clock_offset_ms: Math.round(offsetMs),
    event_streams: report.event_streams,
    node_streams: report.node_streams,
    tasks: held.filter(({ owner }) => owner === id).map(({ name }) => name),
  };
}

/** Returns the database as the API shows it. Pure. */
export function databaseView({ latencyMs, members }: DatabaseHealth): Health['database'] {
  return {
    latency_ms: Math.round(latencyMs),
    ok: latencyMs <= LATENCY_MS_MAX,
    members:
      members?.map(({ host, state, isReachable, lagMs }) => ({
        ...{ host, state, lag_ms: lagMs },
        ok: isReachable && (lagMs ?? 0) <= MEMBER_LAG_MS_MAX,
      })) ?? null,
  };
}

/** Returns a backlog as the API shows it, counted up to `countMax`. Pure. */
export function backlogView(
  { name, lateMs }: Pick<Backlog, 'name' | 'lateMs'>,
  { waiting, oldestMs }: Awaited<ReturnType<Backlog['read']>>,
  { nowMs, countMax }: { nowMs: number; countMax: number },
): Health['backlogs'][number] {
  const ageMs = oldestMs === null ? null : Math.max(0, nowMs - oldestMs);
  return {
    ...{ name, waiting, has_more: waiting >= countMax },
    oldest_seconds: ageMs === null ? null : Math.floor(ageMs / 1_000),
    late_seconds: lateMs / 1_000,
    ok: (ageMs ?? 0) <= lateMs,
  };
}
