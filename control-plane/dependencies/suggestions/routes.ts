import type { Clock } from '../../../kernel/clock.js';
import { type Route, readRoute } from '../../http/route.js';
import { createGraph } from '../graph.js';
import type { ReadNamed } from '../needs.js';
import type { DependencyStore } from '../store.js';
import { SUGGESTIONS_MAX, Suggestion } from './schema.js';
import { type FailedMonitor, type Pair, suggestPairs } from './suggest.js';

const DAY_MS = 86_400_000;
const PAST_DAYS = 90;
/** Incidents of these days that are read, the oldest first. */
const INCIDENTS_READ_MAX = 20_000;
/** Monitors with outages that are compared. */
const MONITORS_COMPARED_MAX = 1_000;
/** Outages of a monitor that are compared, the newest. */
const OUTAGES_COMPARED_MAX = 100;

/** An incident, as suggestions read it. */
interface Begun {
  kind: string;
  monitor_id: string | null;
  started_at_ms: number;
  resolved_at_ms: number | null;
}

export interface SuggestionNeeds {
  store: Pick<DependencyStore, 'ofWorkspaces'>;
  monitorNames: ReadNamed;
  /** Reads the incidents that began in [fromMs, toMs), oldest first. */
  incidents(workspaceId: string, fromMs: number, toMs: number): AsyncIterable<Begun>;
  /** Returns those that exist, in no order. */
  monitorTargets(
    workspaceId: string,
    ids: readonly string[],
  ): Promise<readonly { _id: string; name: string; url: string; type: string }[]>;
  clock: Clock;
}

export function createSuggestionRoute(needs: SuggestionNeeds): Route {
  return readRoute({
    access: 'monitors:read',
    tag: 'Dependencies',
    method: 'GET',
    path: '/v1/dependencies/suggestions',
    summary: 'Suggest dependencies from past outages',
    description: `Pairs of monitors of one host that failed together at least twice in the last ${PAST_DAYS} days, and never alone. Those that depend on each other already are left out.`,
    replies: { 200: Suggestion },
    list: true,
    async handle({ actor }) {
      const found = await suggest(needs, actor.workspaceId);
      return { status: 200, data: found.slice(0, SUGGESTIONS_MAX).map(suggestionView), nextCursor: null };
    },
  });
}

async function suggest(needs: SuggestionNeeds, workspaceId: string): Promise<Pair[]> {
  const pairs = suggestPairs(await failedMonitors(needs, workspaceId));
  const edges = await needs.store.ofWorkspaces([workspaceId]);
  const ids = new Set([
    ...edges.map(({ on_monitor_id }) => on_monitor_id),
    ...pairs.flatMap(({ dependent, on }) => [dependent.id, on.id]),
  ]);
  const known = (await needs.monitorNames(workspaceId, [...ids])).map(({ _id: id, tags }) => ({ id, tags }));
  const graph = createGraph(edges, known);
  const ancestors = new Map(known.map(({ id, tags }) => [id, graph.ancestorsOf({ type: 'monitor', id, tags })]));
  const isAbove = (id: string, of: string) => ancestors.get(of)?.includes(id) === true;
  return pairs.filter(({ dependent, on }) => !isAbove(on.id, dependent.id) && !isAbove(dependent.id, on.id));
}

async function failedMonitors(needs: SuggestionNeeds, workspaceId: string): Promise<FailedMonitor[]> {
  const nowMs = needs.clock.now();
  const outages = new Map<string, { startMs: number; endMs: number | null }[]>();
  let read = 0;
  for await (const incident of needs.incidents(workspaceId, nowMs - PAST_DAYS * DAY_MS, nowMs)) {
    if (++read > INCIDENTS_READ_MAX) break;
    const { kind, monitor_id, started_at_ms: startMs, resolved_at_ms: endMs } = incident;
    if (kind !== 'monitor' || monitor_id === null) continue;
    const own = outages.get(monitor_id) ?? [];
    own.push({ startMs, endMs });
    if (own.length > OUTAGES_COMPARED_MAX) own.shift();
    outages.set(monitor_id, own);
  }
  const ids = [...outages.keys()].slice(0, MONITORS_COMPARED_MAX);
  const targets = ids.length === 0 ? [] : await needs.monitorTargets(workspaceId, ids);
  return targets.map(({ _id, name, url, type }) => ({ id: _id, name, url, type, outages: outages.get(_id) ?? [] }));
}

function suggestionView({ dependent, on, host, outages }: Pair): Suggestion {
  const side = ({ id, name }: FailedMonitor) => ({ monitor_id: id, name });
  return { dependent: side(dependent), depends_on: side(on), host, outages };
}
