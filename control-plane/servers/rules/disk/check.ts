import type { Clock } from '../../../../kernel/clock.js';
import type { Logger } from '../../../../kernel/logger.js';
import { hasJoined, type RuleReader } from '../../../alert-rules/alert-rules.js';
import type { RuleIncidentHead, RuleIncidents } from '../../../incidents/incidents.js';
import type { LeasedWork } from '../../../storage/leases/leased-periodic-task.js';
import type { DiskForecast } from '../../documents.js';
import type { ForecastStore, MetricHistory, MetricPoint, ServerDirectory, ServerFacts } from '../../servers.js';
import { appliesTo, type DiskFullRule, diskFullType } from '../rule-types.js';
import { diskSubject, parseSubject } from '../subjects.js';
import type { DiskIncidents } from './incidents.js';
import { evaluateTrend, TREND_WINDOW_MS, type Trend, trendOf } from './trend.js';

const METRIC = 'disk_used_percent';
/** Consecutive checks that no rule may object to before the incident is resolved. */
const CLEARS_NEEDED = 2;
/** A disk without samples for this time, on a server that sends samples, no longer exists. */
const GONE_MS = 1_800_000;
const HOUR_MS = 3_600_000;
/** After each server the check pauses for as long as that server took, to spread six hours of samples of all servers. */
const PAUSE_MS_MAX = 1_000;

interface DiskCheckNeeds {
  rules: Pick<RuleReader, 'enabled' | 'workspacesWith'>;
  servers: Pick<ServerDirectory, 'tagged'> & ForecastStore;
  history: Pick<MetricHistory, 'minutes'>;
  incidents: Pick<RuleIncidents, 'unresolvedOfRules'>;
  diskIncidents: DiskIncidents;
  clock: Clock;
  logger: Logger;
}

/** Returns a check of the trends of all disks, for the rules that apply to them and for the forecasts of servers. */
export function createDiskCheck(needs: DiskCheckNeeds): LeasedWork<void> {
  const { rules: reader, servers, incidents, clock, logger } = needs;
  const checkServer = createServerCheck(needs);

  return async ({ stillHeld }) => {
    const workspaces = [await reader.workspacesWith(diskFullType.type), await servers.workspacesOnline()];
    for (const workspaceId of new Set(workspaces.flat())) {
      const rules = diskFullType.of(await reader.enabled(workspaceId));
      const open = (await incidents.unresolvedOfRules(workspaceId)).filter(
        ({ subject }) => parseSubject(subject)?.type === 'disk_full',
      );
      for (const server of await servers.tagged(workspaceId, null)) {
        if (!(await stillHeld())) return;
        const startedMs = clock.monotonic();
        const own = rules.filter((rule) => appliesTo(rule, server));
        // A server that is not online has no new samples.
        if (server.status !== 'online') continue;
        const known = open.filter(({ resource }) => resource.id === server._id);
        await checkServer(server, own, known).catch((error: unknown) => {
          logger.warn(
            { err: error, server: server._id },
            'failed to check the disks of a server; the next check retries',
          );
        });
        const tookMs = clock.monotonic() - startedMs;
        if (tookMs > 0) await clock.sleep(Math.min(tookMs, PAUSE_MS_MAX));
      }
    }
  };
}

function createServerCheck(needs: DiskCheckNeeds) {
  const { history, servers, clock } = needs;
  const checkDisk = createDiskEvaluation(needs);

  return async (server: ServerFacts, rules: readonly DiskFullRule[], open: readonly RuleIncidentHead[]) => {
    const nowMs = clock.now();
    const identity = { workspaceId: server.workspace_id, serverId: server._id };
    const series = await history.minutes(identity, METRIC, nowMs - TREND_WINDOW_MS, nowMs);
    const disks = new Map<string, MetricPoint[]>();
    for (const [name, minutes] of series) {
      if (name.startsWith(`${METRIC}:`)) disks.set(name.slice(METRIC.length + 1), minutes);
    }
    const newestMs = Math.max(...[...disks.values()].map((minutes) => minutes.at(-1)?.atMs ?? 0), 0);
    let soonest: DiskForecast | null = null;
    for (const mount of new Set([...disks.keys(), ...open.map(mountOf)])) {
      const minutes = disks.get(mount) ?? [];
      const incident = open.find(({ subject }) => subject === diskSubject(server._id, mount)) ?? null;
      if (newestMs - (minutes.at(-1)?.atMs ?? 0) > GONE_MS) {
        if (incident !== null && newestMs > 0 && rules.length > 0)
          await checkDisk({ server, mount }, null, rules, incident);
        continue;
      }
      const trend = trendOf(minutes);
      // Without a trend, nothing is opened or resolved.
      if (trend === null) continue;
      soonest = sooner(soonest, forecastOf(mount, trend, nowMs));
      if (rules.length > 0) await checkDisk({ server, mount }, trend, rules, incident);
    }
    await servers.setForecast(identity, soonest);
  };
}

function createDiskEvaluation({ diskIncidents: incidents }: DiskCheckNeeds) {
  /** Consecutive clear checks, by subject. They are not stored: after a restart two more checks are needed. */
  const clears = new Map<string, number>();

  return async (
    disk: { server: ServerFacts; mount: string },
    trend: Trend | null,
    rules: readonly DiskFullRule[],
    known: RuleIncidentHead | null,
  ): Promise<void> => {
    const subject = diskSubject(disk.server._id, disk.mount);
    const outcomes = new Map(
      rules.map((rule) => [rule, trend === null ? 'clear' : evaluateTrend(trend, rule.within_hours ?? 0)]),
    );
    const firing = rules.filter((rule) => outcomes.get(rule) === 'fires');
    if (trend !== null && firing.length > 0 && (known === null || !hasJoined(known, firing))) {
      await incidents.open(disk, firing, trend);
    }
    const isClear = [...outcomes.values()].every((outcome) => outcome === 'clear');
    if (known === null || !isClear) return void clears.delete(subject);
    const count = (clears.get(subject) ?? 0) + 1;
    clears.set(subject, count);
    if (count < CLEARS_NEEDED) return;
    await incidents.resolve(disk, trend);
    clears.delete(subject);
  };
}

function forecastOf(mount: string, { percent, growth }: Trend, nowMs: number): DiskForecast | null {
  if (growth === null) return null;
  const { pointsPerHour: points_per_hour, hoursLeft } = growth;
  return { mount, percent, points_per_hour, full_at_ms: nowMs + Math.round(hoursLeft * HOUR_MS), at_ms: nowMs };
}

function sooner(one: DiskForecast | null, other: DiskForecast | null): DiskForecast | null {
  if (one === null || other === null) return one ?? other;
  return other.full_at_ms < one.full_at_ms ? other : one;
}

function mountOf({ subject }: RuleIncidentHead): string {
  const parsed = parseSubject(subject);
  return parsed?.type === 'disk_full' ? parsed.mount : '';
}
