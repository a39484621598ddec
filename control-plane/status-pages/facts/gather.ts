import { isStale, monitorSubject, voteValidMs, type WatchedMonitor } from '../../monitors/monitors.js';
import { requiredDownVotes } from '../../results/results.js';
import { componentsOf, type StatusPageDocument } from '../documents.js';
import type { PageIncidentStore } from '../updates/store.js';
import { withinRoom } from '../updates/within-room.js';
import {
  type OutageFacts,
  PAST_INCIDENT_DAYS,
  type PageDays,
  type PageFacts,
  type PageSources,
  THINGS_MAX,
  type ThingFacts,
  type WatchedServer,
} from './facts.js';
import type { MonitorHistory } from './history.js';

const DAY_MS = 86_400_000;
const OUTAGES_MAX = 500;
/** Certificates that expire and disks that fill up are nobody's business outside. */
const OUTAGE_KINDS = ['monitor', 'server'];

interface GatherNeeds {
  sources: PageSources;
  incidents: Pick<PageIncidentStore, 'shown'>;
  history: MonitorHistory;
  pageDays(nowMs: number, timeZone: string): PageDays;
}

/** Reads everything that the page says. */
export async function gatherFacts(needs: GatherNeeds, page: StatusPageDocument, nowMs: number): Promise<PageFacts> {
  const { sources, history, pageDays } = needs;
  const { workspace_id: workspaceId, time_zone } = page;
  const components = componentsOf(page);
  const idsOf = (field: 'monitor_id' | 'server_id' | 'tag') =>
    components.flatMap(({ [field]: value }) => (value === null ? [] : [value]));
  const tags = idsOf('tag');
  const [monitors, servers] = await Promise.all([
    sources.monitors(workspaceId, { ids: idsOf('monitor_id'), tags }, THINGS_MAX + 1),
    sources.servers(workspaceId, { ids: idsOf('server_id'), tags }, THINGS_MAX + 1),
  ]);
  const tooMany = { monitors: monitors.length > THINGS_MAX, servers: servers.length > THINGS_MAX };
  const shown = monitors.slice(0, THINGS_MAX);
  const days = pageDays(nowMs, time_zone);
  const daysOf = await history.of(shown, days, time_zone);
  const isCovered = (type: ThingFacts['type'], id: string, of: readonly string[]) =>
    sources.isCovered({ workspaceId, type, id, tags: of }, nowMs);
  const things = [
    ...shown.map((monitor) => ({
      type: 'monitor' as const,
      id: monitor._id,
      name: monitor.name,
      tags: monitor.tags,
      state: monitorState(monitor, sources.voidVotes(monitor.locations), nowMs),
      inMaintenance: isCovered('monitor', monitor._id, monitor.tags),
      days: daysOf.get(monitor._id) ?? null,
    })),
    ...servers.slice(0, THINGS_MAX).map((server) => ({
      type: 'server' as const,
      id: server._id,
      name: server.name,
      tags: server.tags,
      state: serverState(server),
      inMaintenance: isCovered('server', server._id, server.tags),
      days: null,
    })),
  ];
  const sinceMs = nowMs - PAST_INCIDENT_DAYS * DAY_MS;
  const [outages, incidents] = await Promise.all([
    readOutages(sources, workspaceId, things, sinceMs),
    needs.incidents.shown(workspaceId, page._id, sinceMs),
  ]);
  return {
    page,
    nowMs,
    days,
    things,
    tooMany,
    outages,
    incidents: withinRoom(incidents),
    planned: sources.planned(workspaceId, nowMs),
  };
}

/** A monitor of which too few locations can vote keeps its status, but nobody knows whether it is still true. */
function monitorState(monitor: WatchedMonitor, voidVotes: ReadonlySet<string>, nowMs: number): ThingFacts['state'] {
  const { locations, live, interval_seconds, confirmations, paused_at_ms, state } = monitor;
  if (paused_at_ms !== null) return 'paused';
  const validMs = voteValidMs(interval_seconds);
  const valid = locations.filter((location) => {
    const result = live[location];
    return result !== undefined && !voidVotes.has(location) && !isStale(result, validMs, nowMs);
  });
  if (valid.length === 0) return 'unknown';
  if (requiredDownVotes(locations.length, valid.length, confirmations) > valid.length) return 'unknown';
  return state.status;
}

function serverState({ status }: WatchedServer): ThingFacts['state'] {
  if (status === 'pending') return 'unknown';
  return status === 'online' ? 'up' : 'down';
}

/** Returns the outages that last, and those of the last days. Maintenance that was planned is none. */
async function readOutages(
  sources: PageSources,
  workspaceId: string,
  things: readonly ThingFacts[],
  sinceMs: number,
): Promise<OutageFacts[]> {
  if (things.length === 0) return [];
  const bySubject = new Map(things.map((thing) => [subjectOf(thing), thing.id]));
  const of = { kinds: OUTAGE_KINDS, subjects: [...bySubject.keys()] };
  const found = await sources.incidents(workspaceId, of, sinceMs, OUTAGES_MAX);
  return found.flatMap(({ _id, subject, started_at_ms, resolved_at_ms, resolution, maintenance }) => {
    const thingId = bySubject.get(subject);
    if (thingId === undefined || maintenance != null) return [];
    const recovered = resolution === 'recovered';
    return [{ id: _id, thingId, startedMs: started_at_ms, resolvedMs: resolved_at_ms, recovered }];
  });
}

/** The subject of the incident of its outage. */
function subjectOf({ type, id }: ThingFacts): string {
  return type === 'monitor' ? monitorSubject(id) : `server:${id}:offline`;
}
