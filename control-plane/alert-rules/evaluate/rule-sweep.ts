import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { RuleIncidentHead, RuleIncidents } from '../../incidents/incidents.js';
import { isDuplicateKey, type RunTransaction, type Transaction } from '../../storage/transaction.js';
import { type AlertRules, type HandlerSweep, hasJoined, type ReadRules, type RuleTypeHandler } from '../alert-rules.js';
import type { AlertRuleDocument } from '../documents.js';

export interface RuleSweepNeeds {
  alertRules: Pick<AlertRules, 'workspacesWith' | 'newestChange'>;
  incidents: Pick<RuleIncidents, 'unresolvedAmong'>;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

interface SweptResource {
  _id: string;
  workspace_id: string;
}

/** The resources of a rule type whose incidents a sweep repairs. */
export interface SweptResources<Resource extends SweptResource> {
  /** The rule type. */
  type: string;
  /** The level-`warn` message for a resource that could not be updated. */
  failure: string;
  /** Names the id of the resource in that message, such as `job`. */
  idField: string;
  /** Returns the resources of all workspaces that may have an incident, sorted by id, after `afterId`. */
  alerting(afterId: string | null, limit: number): Promise<Resource[]>;
  /** Returns the existing resources among these ids, in no order. */
  findMany(workspaceId: string, ids: readonly string[]): Promise<Resource[]>;
  /** Returns the enabled rules that apply to the resource. */
  rulesOf(rules: readonly AlertRuleDocument[], resourceId: string): readonly AlertRuleDocument[];
  /** Returns the subjects of the incidents that the resource should have. */
  subjectsOf(resource: Resource): readonly string[];
  /** Returns the id of the resource of an incident; null for a subject of another kind. `resourceId` is the one that the incident names. */
  resourceOf(subject: string, resourceId: string): string | null;
  /** Reads the resource again, and updates its incidents. Does nothing if the resource no longer exists. */
  update(tx: Transaction, workspaceId: string, resourceId: string): Promise<void>;
}

const PAGE_RESOURCES = 200;
/** Reading all resources with a problem is too expensive for each sweep of the alert rules. */
const PERIOD_MS = 60_000;

/**
 * Returns the sweep of a rule type. It is due when an alert rule has changed since the last one, and once a minute. It opens
 * incidents for problems that are older than their rule, or that were muted, and resolves incidents whose problem has ended.
 */
export function createRuleSweep<Resource extends SweptResource>(
  needs: RuleSweepNeeds,
  resources: SweptResources<Resource>,
): RuleTypeHandler['beginSweep'] {
  const { alertRules, clock } = needs;
  let last = { change: null as string | null, atMs: Number.NEGATIVE_INFINITY };
  return async (readRules): Promise<HandlerSweep | null> => {
    const current = { change: await alertRules.newestChange(), atMs: clock.monotonic() };
    if (current.change === last.change && current.atMs - last.atMs < PERIOD_MS) return null;
    return {
      openMissing: (stillHeld) => openMissing(needs, resources, readRules, stillHeld),
      resolveEnded: (workspaceId, incidents) => resolveEnded(needs, resources, workspaceId, incidents),
      completed() {
        last = current;
      },
    };
  };
}

/** Opens incidents for resources whose problem is older than their rule, and after a grace period. */
async function openMissing<Resource extends SweptResource>(
  needs: RuleSweepNeeds,
  resources: SweptResources<Resource>,
  readRules: ReadRules,
  stillHeld: () => Promise<boolean>,
): Promise<boolean> {
  const workspaces = new Set(await needs.alertRules.workspacesWith(resources.type));
  if (workspaces.size === 0) return true;
  let after: string | null = null;
  for (;;) {
    const page: Resource[] = await resources.alerting(after, PAGE_RESOURCES);
    for (const workspaceId of new Set(page.map(({ workspace_id }) => workspace_id))) {
      if (!workspaces.has(workspaceId)) continue;
      const own = page.filter(({ workspace_id }) => workspace_id === workspaceId);
      for (const resource of await incomplete(needs, resources, await readRules(workspaceId), own)) {
        if (!(await stillHeld())) return false;
        await updateIncidents(needs, resources, resource);
      }
    }
    after = page.at(-1)?._id ?? null;
    if (page.length < PAGE_RESOURCES) return true;
  }
}

/** Resolves incidents whose problem has ended, if the event that ended it could not. */
async function resolveEnded<Resource extends SweptResource>(
  needs: RuleSweepNeeds,
  resources: SweptResources<Resource>,
  workspaceId: string,
  incidents: readonly RuleIncidentHead[],
): Promise<void> {
  const open = incidents.map(({ subject, resource }) => ({
    subject,
    resourceId: resources.resourceOf(subject, resource.id),
  }));
  const ids = [...new Set(open.flatMap(({ resourceId }) => resourceId ?? []))];
  const found = ids.length === 0 ? [] : await resources.findMany(workspaceId, ids);
  for (const resource of found) {
    const wanted = new Set(resources.subjectsOf(resource));
    const hasEnded = open.some(({ subject, resourceId }) => resourceId === resource._id && !wanted.has(subject));
    if (hasEnded) await updateIncidents(needs, resources, resource);
  }
}

/** Returns the resources of a workspace that lack an incident, or whose incident lacks one of the rules. */
async function incomplete<Resource extends SweptResource>(
  { incidents }: RuleSweepNeeds,
  resources: SweptResources<Resource>,
  rules: readonly AlertRuleDocument[],
  ofWorkspace: readonly Resource[],
): Promise<Resource[]> {
  const alerting = ofWorkspace.flatMap((resource) => {
    const own = resources.rulesOf(rules, resource._id);
    return own.length === 0 ? [] : [{ resource, own, subjects: resources.subjectsOf(resource) }];
  });
  const [first] = alerting;
  if (first === undefined) return [];
  const subjects = alerting.flatMap((one) => one.subjects);
  const unresolved = await incidents.unresolvedAmong(first.resource.workspace_id, subjects);
  const open = new Map(unresolved.map((incident) => [incident.subject, incident]));
  const found = alerting.filter(({ own, subjects }) =>
    subjects.some((subject) => {
      const known = open.get(subject);
      return known === undefined || !hasJoined(known, own);
    }),
  );
  return found.map(({ resource }) => resource);
}

async function updateIncidents<Resource extends SweptResource>(
  { runTransaction, logger }: RuleSweepNeeds,
  { update, failure, idField }: SweptResources<Resource>,
  { _id, workspace_id }: SweptResource,
): Promise<void> {
  try {
    await runTransaction((tx) => update(tx, workspace_id, _id));
  } catch (err) {
    // A duplicate key means that an event of the resource has just opened the incident.
    if (isDuplicateKey(err)) return;
    logger.warn({ err, [idField]: _id }, failure);
  }
}
