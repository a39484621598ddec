import type { Clock } from '../../kernel/clock.js';
import type { Maintenance } from '../maintenance/maintenance.js';
import type { ProbeCommands } from '../nodes/nodes.js';
import type { Transaction } from '../storage/transaction.js';
import { goodSince, holdOf, isDown, type Parent, tellsAllOf, uncheckedOf } from './decide.js';
import type { CountAmong, Dependencies, FailingThing, ParentReads, RequiredDownVotes } from './dependencies.js';
import { createGraph, type Graph } from './graph.js';
import type { DependencyStore } from './store.js';

/** Things that depend on one monitor are counted up to this many. */
const DEPENDENTS_COUNTED_MAX = 1_000;

export interface JudgeNeeds {
  store: Pick<DependencyStore, 'ofWorkspaces'>;
  parentReads: ParentReads;
  requiredDownVotes: RequiredDownVotes;
  countMonitors: CountAmong;
  countServers: CountAmong;
  maintenance: Pick<Maintenance, 'covering'>;
  commands: ProbeCommands;
  clock: Clock;
}

/** The dependencies of a workspace with the monitors that something depends on. */
interface Known {
  graph: Graph;
  parents: ReadonlyMap<string, Omit<Parent, 'hasParentDown'>>;
}

/**
 * Reads dependencies from the database each time: what is decided here keeps people from being notified, and must not depend on
 * what another control plane has not been told yet.
 */
export function createDependencies(needs: JudgeNeeds): Dependencies {
  const { clock, commands } = needs;
  const knownOf = (things: readonly FailingThing[], nowMs: number, tx?: Transaction) =>
    readKnown(needs, [...new Set(things.map(({ workspaceId }) => workspaceId))], nowMs, tx);
  return {
    async began(tx, things, nowMs) {
      const known = await knownOf(things, nowMs, tx);
      const judged = [];
      const checked = new Map<string, Parent>();
      for (const thing of things) {
        const of = known.get(thing.workspaceId);
        const parents = of === undefined ? [] : parentsOf(of, thing);
        const hold = holdOf(thing, parents, nowMs);
        if (hold?.state === 'waiting') for (const parent of uncheckedOf(thing, parents)) checked.set(parent.id, parent);
        const isParent = thing.type === 'monitor' && of?.parents.has(thing.id) === true;
        judged.push({ hold, dependents: isParent ? await countDependents(needs, of.graph, thing, tx) : 0 });
      }
      tx.afterCommit(() => {
        for (const { id: monitorId, locations } of checked.values()) {
          commands.runNow({ monitorId, locations, slotMs: clock.now(), reason: 'confirm' });
        }
      });
      return judged;
    },
    async holds(things, nowMs, tx) {
      const known = await knownOf(things, nowMs, tx);
      return things.map((thing) => {
        const of = known.get(thing.workspaceId);
        return of === undefined ? null : holdOf(thing, parentsOf(of, thing), nowMs);
      });
    },
    async dependentsOf(workspaceId, monitorIds) {
      const known = (await readKnown(needs, [workspaceId], clock.now())).get(workspaceId);
      const counts = new Map<string, number>();
      for (const id of monitorIds) {
        if (known?.parents.has(id) !== true) continue;
        counts.set(id, await countDependents(needs, known.graph, { workspaceId, id }));
      }
      return counts;
    },
  };
}

async function countDependents(
  { countMonitors, countServers }: JudgeNeeds,
  graph: Graph,
  { workspaceId, id: except }: Pick<FailingThing, 'workspaceId' | 'id'>,
  tx?: Transaction,
): Promise<number> {
  const { monitorIds, serverIds, tags } = graph.descendantsOf(except);
  // A transaction does one thing at a time.
  const monitors = await countMonitors(workspaceId, { ids: monitorIds, tags, except }, DEPENDENTS_COUNTED_MAX, tx);
  return monitors + (await countServers(workspaceId, { ids: serverIds, tags, except }, DEPENDENTS_COUNTED_MAX, tx));
}

function parentsOf({ graph, parents }: Known, thing: FailingThing): Parent[] {
  const known = (id: string) => parents.get(id) ?? [];
  return graph
    .ancestorsOf(thing)
    .flatMap(known)
    .map((parent) => {
      // Only one that is down can be what another is silent because of.
      if (!isDown(parent)) return { ...parent, hasParentDown: false };
      const above = graph.ancestorsOf({ type: 'monitor', id: parent.id, tags: parent.tags });
      const hasParentDown = above.flatMap(known).some((one) => isDown(one) && tellsAllOf(one, parent));
      return { ...parent, hasParentDown };
    });
}

function byWorkspace<Of>(list: readonly Of[], workspaceOf: (one: Of) => string): Map<string, Of[]> {
  const groups = new Map<string, Of[]>();
  for (const one of list) {
    const group = groups.get(workspaceOf(one)) ?? [];
    group.push(one);
    groups.set(workspaceOf(one), group);
  }
  return groups;
}

/** Returns what is known of the workspaces that have dependencies. */
async function readKnown(
  { store, parentReads, requiredDownVotes, maintenance }: JudgeNeeds,
  workspaceIds: readonly string[],
  nowMs: number,
  tx?: Transaction,
): Promise<Map<string, Known>> {
  const edges = workspaceIds.length === 0 ? [] : await store.ofWorkspaces(workspaceIds, tx);
  if (edges.length === 0) return new Map();
  const ids = [...new Set(edges.map(({ on_monitor_id }) => on_monitor_id))];
  const found = (await parentReads(workspaceIds, ids, nowMs, tx)).map((parent) => {
    const { workspaceId, id, tags, checks, locations, confirmations } = parent;
    const isCovered = maintenance.covering({ workspaceId, type: 'monitor', id, tags }, nowMs) !== null;
    const required = requiredDownVotes(locations.length, checks.length, confirmations);
    return { ...parent, isCovered, goodSinceMs: goodSince(checks, required) };
  });
  const parentsIn = byWorkspace(found, ({ workspaceId }) => workspaceId);
  const known = [...byWorkspace(edges, ({ workspace_id }) => workspace_id)].map(
    ([workspaceId, among]): [string, Known] => {
      const own = parentsIn.get(workspaceId) ?? [];
      return [
        workspaceId,
        { graph: createGraph(among, own), parents: new Map(own.map((parent) => [parent.id, parent])) },
      ];
    },
  );
  return new Map(known);
}
