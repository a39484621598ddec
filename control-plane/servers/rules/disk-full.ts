import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { diskSubject, parseSubject } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { isJoined } from '../../alert-rules/join.js';
import { matches } from '../../alert-rules/matching.js';
import type { AlertRuleStore } from '../../alert-rules/store.js';
import type { RuleIncidentHead } from '../../incidents/documents.js';
import type { RuleIncidents } from '../../incidents/incidents.js';
import type { LeasedWork } from '../../storage/leased-job.js';
import type { MetricHistory, MetricPoint, ServerDirectory, ServerFacts } from '../servers.js';
import type { DiskIncidents } from './disk-incidents.js';
import { judgeTrend, TREND_WINDOW_MS, type Trend, trendOf } from './trend.js';

const METRIC = 'disk_used_percent';
/** Looks in a row that must see nothing to fear before an incident is over. */
const CLEARS_NEEDED = 2;
/** A disk without a minute since, of a server that reports, is no longer there. */
const GONE_MS = 1_800_000;
/** After each server it rests as long as that took: six hours of thousands of servers must not come in one go. */
const REST_MS_MAX = 1_000;

interface DiskFullDependencies {
  store: Pick<AlertRuleStore, 'enabled' | 'workspacesWith'>;
  servers: Pick<ServerDirectory, 'tagged'>;
  history: Pick<MetricHistory, 'minutes'>;
  open: Pick<RuleIncidents, 'unresolvedOfRules'>;
  incidents: DiskIncidents;
  clock: Clock;
  logger: Logger;
}

/** Looks at the trends of all disks that a rule is for. */
export function createDiskFullLook(deps: DiskFullDependencies): LeasedWork<void> {
  const { store, servers, open, clock, logger } = deps;
  /** Looks in a row that saw nothing to fear, by subject. Lost with the process: then two more are needed. */
  const clears = new Map<string, number>();
  const lookAt = createDiskLook(deps, clears);

  return async (holds) => {
    for (const workspaceId of await store.workspacesWith('disk_full')) {
      const rules = (await store.enabled(workspaceId)).filter(({ type }) => type === 'disk_full');
      const known = (await open.unresolvedOfRules(workspaceId)).filter(
        ({ subject }) => parseSubject(subject)?.type === 'disk_full',
      );
      const wanted = await servers.tagged(workspaceId, null);
      for (const server of wanted) {
        if (!(await holds())) return;
        const startedMs = clock.monotonic();
        const its = rules.filter((rule) => matches(rule, server));
        // Nothing new is known of a server that is silent.
        if (its.length === 0 || server.status !== 'online') continue;
        const incidents = known.filter(({ resource }) => resource.id === server._id);
        await lookAt(server, its, incidents).catch((error: unknown) => {
          logger.warn(
            { err: error, server: server._id },
            'the disks of a server could not be judged; the next look tries again',
          );
        });
        const tookMs = clock.monotonic() - startedMs;
        if (tookMs > 0) await clock.sleep(Math.min(tookMs, REST_MS_MAX));
      }
    }
  };
}

function createDiskLook({ history, incidents, clock }: DiskFullDependencies, clears: Map<string, number>) {
  async function judged(
    server: ServerFacts,
    mount: string,
    trend: Trend | null,
    rules: readonly AlertRuleDocument[],
    known: RuleIncidentHead | null,
  ): Promise<void> {
    const disk = { server, mount };
    const subject = diskSubject(server._id, mount);
    const says = new Map(
      rules.map((rule) => [rule, trend === null ? 'clear' : judgeTrend(trend, rule.within_hours ?? 0)]),
    );
    const firing = rules.filter((rule) => says.get(rule) === 'fires');
    if (trend !== null && firing.length > 0 && (known === null || !isJoined(known, firing))) {
      await incidents.open(disk, firing, trend);
    }
    const isClear = [...says.values()].every((word) => word === 'clear');
    if (known === null || !isClear) return void clears.delete(subject);
    const count = (clears.get(subject) ?? 0) + 1;
    clears.set(subject, count);
    if (count < CLEARS_NEEDED) return;
    await incidents.resolve(disk, trend);
    clears.delete(subject);
  }

  return async (server: ServerFacts, rules: readonly AlertRuleDocument[], known: readonly RuleIncidentHead[]) => {
    const nowMs = clock.now();
    const identity = { workspaceId: server.workspace_id, serverId: server._id };
    const series = await history.minutes(identity, METRIC, nowMs - TREND_WINDOW_MS, nowMs);
    const mounts = new Map<string, MetricPoint[]>();
    for (const [name, minutes] of series) {
      if (name.startsWith(`${METRIC}:`)) mounts.set(name.slice(METRIC.length + 1), minutes);
    }
    const newestMs = Math.max(...[...mounts.values()].map((minutes) => minutes.at(-1)?.atMs ?? 0), 0);
    const isGone = (minutes: readonly MetricPoint[] | undefined) => newestMs - (minutes?.at(-1)?.atMs ?? 0) > GONE_MS;
    const openMounts = known.map(({ subject }) => {
      const parsed = parseSubject(subject);
      return parsed?.type === 'disk_full' ? parsed.mount : '';
    });
    for (const mount of new Set([...mounts.keys(), ...openMounts])) {
      const minutes = mounts.get(mount);
      const incident = known.find(({ subject }) => subject === diskSubject(server._id, mount)) ?? null;
      if (isGone(minutes)) {
        if (incident !== null && newestMs > 0) await judged(server, mount, null, rules, incident);
        continue;
      }
      const trend = trendOf(minutes ?? []);
      // Too little is known to open anything, or to end it.
      if (trend !== null) await judged(server, mount, trend, rules, incident);
    }
  };
}
