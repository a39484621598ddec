import { toIso } from '../../../kernel/clock.js';
import type { WorkspaceDocument } from '../../accounts/documents.js';
import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import { BY_ID, type Pager } from '../../http/paging.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../../http/route.js';
import type { PlanName } from '../../plans/plans.js';
import type { Transaction } from '../../storage/transaction.js';
import { acceptedOverQuota } from '../change-plan.js';
import type { BillingNeeds } from '../needs.js';
import { changePlan } from '../plan-change.js';
import type { PlanRequest } from '../schema.js';
import { isLive } from '../stripe/subscription.js';
import { quotaUse } from '../view.js';
import {
  AdminWorkspace,
  AdminWorkspaceUsage,
  ListWorkspaces,
  SetPlan,
  SuspendRequest,
  WorkspaceParams,
} from './schema.js';
import type { AdminWorkspacesStore } from './store.js';
import { resumeWorkspace, suspendWorkspace } from './suspend.js';

const TAG = 'Operators';

type AdminNeeds = BillingNeeds & { all: AdminWorkspacesStore; pager: Pager };

/** Returns the routes with which operators manage the workspaces of the installation. */
export function createAdminRoutes(needs: AdminNeeds): Route[] {
  const { all, pager } = needs;
  return [
    readRoute({
      method: 'GET',
      path: '/v1/admin/workspaces',
      access: 'operator',
      tag: TAG,
      summary: 'List workspaces, newest first',
      query: ListWorkspaces,
      list: true,
      replies: { 200: AdminWorkspace },
      async handle(input) {
        const page = pager.open('workspaces', BY_ID, input);
        return page.reply(await all.list(input.query, page.request), (rows) => rows.map(workspaceView));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/admin/workspaces/{id}',
      access: 'operator',
      tag: TAG,
      summary: 'Get a workspace and what it uses',
      params: WorkspaceParams,
      replies: { 200: AdminWorkspaceUsage },
      async handle({ params }) {
        const workspace = await all.find(params.id);
        if (workspace === null) throw notFound('workspace');
        return replyOf(needs, workspace);
      },
    }),
    ...changeRoutes(needs),
  ];
}

function changeRoutes(needs: AdminNeeds): Route[] {
  return [
    mutationRoute({
      method: 'PATCH',
      path: '/v1/admin/workspaces/{id}',
      access: 'operator',
      fresh: true,
      tag: TAG,
      summary: 'Set the plan of a workspace',
      description:
        'Takes effect within 30 s on every control plane. 409 while a subscription at Stripe decides the plan, and for a smaller plan until everything over its limits is accepted.',
      params: WorkspaceParams,
      body: SetPlan,
      errors: ['conflict'],
      replies: { 200: AdminWorkspaceUsage },
      async handle({ actor, params, body, ifVersion }, tx) {
        await setPlan(needs, tx, actor, params.id, body, ifVersion);
        return replyOf(needs, await load(needs, tx, params.id));
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/admin/workspaces/{id}/suspend',
      access: 'operator',
      fresh: true,
      tag: TAG,
      summary: 'Suspend a workspace',
      description:
        'Within 30 s, checks, notifications, blacklist checks and the streams of agents stop. All data stay. The people of the workspace get 403 with the reason, except for their account, their billing page, the page of Stripe and logging out.',
      params: WorkspaceParams,
      body: SuspendRequest,
      errors: ['conflict'],
      replies: { 200: AdminWorkspaceUsage },
      async handle({ actor, params, body }, tx) {
        await suspendWorkspace(needs, tx, actor, params.id, body.reason);
        return replyOf(needs, await load(needs, tx, params.id));
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/admin/workspaces/{id}/resume',
      access: 'operator',
      fresh: true,
      tag: TAG,
      summary: 'Resume a suspended workspace',
      description:
        'Takes everything up again. Results of checks before it do not vote, and servers get two minutes to reconnect.',
      params: WorkspaceParams,
      replies: { 200: AdminWorkspaceUsage },
      async handle({ actor, params }, tx) {
        await resumeWorkspace(needs, tx, actor, params.id);
        return replyOf(needs, await load(needs, tx, params.id));
      },
    }),
  ];
}

async function setPlan(
  needs: AdminNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  request: PlanRequest & { plan: PlanName },
  ifVersion: number | null,
): Promise<void> {
  const workspace = await load(needs, tx, id);
  requireVersion(ifVersion, versionOf(workspace));
  const account = await needs.store.account(id);
  if (needs.stripe !== null && isLive(account?.subscription ?? null)) {
    throw new AppError(
      'conflict',
      'The subscription of the workspace at Stripe decides its plan. Cancel it there first.',
    );
  }
  const overQuota = await acceptedOverQuota(needs, workspace, request);
  await changePlan(needs, tx, { workspace, to: request.plan, by: 'operator', actor, overQuota });
}

async function load({ workspaces }: AdminNeeds, tx: Transaction, id: string): Promise<WorkspaceDocument> {
  const workspace = await workspaces.document(tx, id);
  if (workspace === null) throw notFound('workspace');
  return workspace;
}

/** Every route of one workspace returns all of it, so that a client can replace what it shows. */
async function replyOf(needs: AdminNeeds, workspace: WorkspaceDocument): Promise<Reply> {
  const [account, quotas] = await Promise.all([
    needs.store.account(workspace._id),
    quotaUse(needs.quotas(), workspace),
  ]);
  const subscription = account?.subscription?.status ?? null;
  return { status: 200, data: { ...workspaceView(workspace), subscription, quotas }, version: versionOf(workspace) };
}

/** Counts the changes of its plan and its suspensions. */
function versionOf({ terms }: WorkspaceDocument): number {
  return terms?.revision ?? 0;
}

function workspaceView({ _id, name, plan, created_at_ms, suspended, deletion }: WorkspaceDocument): AdminWorkspace {
  return {
    ...{ id: _id, name, plan, created_at: toIso(created_at_ms) },
    suspended:
      suspended === null || suspended === undefined ? null : { at: toIso(suspended.at_ms), reason: suspended.reason },
    deletion_at: deletion === null || deletion === undefined ? null : toIso(deletion.at_ms),
  };
}
