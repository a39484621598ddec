import type { Actor } from '../actor.js';
import { AppError, invalidField } from '../errors.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import { audited } from './audited.js';
import type { DependencyDocument, Dependent } from './documents.js';
import { createGraph } from './graph.js';
import type { DependencyNames } from './names.js';
import type { DependencyNeeds } from './needs.js';
import type { CreateDependency } from './schema.js';

/** Of a workspace. Each failure in it reads all of them. */
const DEPENDENCIES_MAX: Readonly<Record<PlanName, number>> = { Free: 50, Pro: 500, Enterprise: 2_000 };

/** Monitors that depend on each other in a row. */
const CHAIN_MAX = 20;

interface NamedDependency {
  dependency: DependencyDocument;
  names: DependencyNames;
}

export async function createDependency(
  needs: DependencyNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateDependency,
): Promise<NamedDependency> {
  const { store, ids, clock, audit } = needs;
  const dependent = dependentOf(input);
  const on_monitor_id = input.depends_on.monitor_id;
  await store.takeTurn(tx, actor.workspaceId);
  const { names, on } = await checkSides(needs, tx, actor, dependent, on_monitor_id);
  await refuseCircleOrChain(needs, tx, actor, dependent, on);
  if ((await store.findSame(tx, actor.workspaceId, dependent, on_monitor_id)) !== null) {
    throw new AppError('conflict', `This dependency exists already: ${names.dependent} depends on ${names.on}.`);
  }
  await refuseTooMany(needs, tx, actor);
  const dependency: DependencyDocument = {
    ...{ _id: ids.next('dep'), workspace_id: actor.workspaceId },
    ...dependent,
    ...{ on_monitor_id, created_by: actor.email, created_at_ms: clock.now() },
  };
  await store.insert(tx, dependency);
  await audit.record(tx, actor, audited('dependency.created', dependency, names));
  return { dependency, names };
}

function dependentOf({ dependent }: CreateDependency): Dependent {
  const { monitor_id = null, server_id = null, tag = null } = dependent;
  if ([monitor_id, server_id, tag].filter((one) => one !== null).length !== 1) {
    throw invalidField('/dependent', 'must have exactly one of monitor_id, server_id and tag', 'required');
  }
  return { monitor_id, server_id, tag };
}

/** Throws 422 when a monitor or a server is not of the workspace. Returns their names, and the monitor that is depended on. */
async function checkSides(
  { monitorNames, serverNames, referenceLock }: DependencyNeeds,
  tx: Transaction,
  { workspaceId }: Actor,
  { monitor_id, server_id, tag }: Dependent,
  onMonitorId: string,
) {
  await referenceLock.refer(
    tx,
    [monitor_id, server_id, onMonitorId].filter((id) => id !== null),
  );
  const monitors = await monitorNames(workspaceId, [onMonitorId, ...(monitor_id === null ? [] : [monitor_id])], tx);
  const on = monitors.find(({ _id }) => _id === onMonitorId);
  if (on === undefined) {
    throw invalidField('/depends_on/monitor_id', `must be a monitor of this workspace: ${onMonitorId}`);
  }
  const known = server_id === null ? monitors : await serverNames(workspaceId, [server_id], tx);
  const dependent = tag ?? known.find(({ _id }) => _id === (monitor_id ?? server_id))?.name;
  if (dependent === undefined) {
    const [field, what] = monitor_id === null ? ['server_id', 'a server'] : ['monitor_id', 'a monitor'];
    throw invalidField(`/dependent/${field}`, `must be ${what} of this workspace: ${monitor_id ?? server_id}`);
  }
  return { names: { dependent, on: on.name }, on };
}

async function refuseCircleOrChain(
  { store, monitorNames }: DependencyNeeds,
  tx: Transaction,
  { workspaceId }: Actor,
  dependent: Dependent,
  on: { _id: string; tags: readonly string[] },
): Promise<void> {
  const edges = await store.ofWorkspaces([workspaceId], tx);
  const ids = [...new Set([on._id, ...edges.map(({ on_monitor_id }) => on_monitor_id)])];
  const parents = (await monitorNames(workspaceId, ids, tx)).map(({ _id: id, tags }) => ({ id, tags }));
  const graph = createGraph(edges, parents);
  if (graph.closesCircle(dependent, { type: 'monitor', id: on._id, tags: on.tags })) {
    const message = 'must not depend on the dependent, directly or through others: that would be a circle';
    throw invalidField('/depends_on/monitor_id', message);
  }
  const length = createGraph([...edges, { ...dependent, on_monitor_id: on._id }], parents).longestChain();
  if (length <= CHAIN_MAX || length <= graph.longestChain()) return;
  throw invalidField('/depends_on/monitor_id', `must not make a chain of more than ${CHAIN_MAX} monitors`);
}

/** Throws 409 when the workspace has no room for another. Call it after `takeTurn`, which makes the count exact. */
async function refuseTooMany(
  { store }: DependencyNeeds,
  tx: Transaction,
  { workspaceId, plan }: Pick<Actor, 'workspaceId' | 'plan'>,
): Promise<void> {
  const max = DEPENDENCIES_MAX[plan];
  if ((await store.count(tx, workspaceId, max)) < max) return;
  throw new AppError(
    'conflict',
    `A workspace on the ${plan} plan can have ${max.toLocaleString('en-US')} dependencies; use tags, or delete some of them.`,
  );
}
