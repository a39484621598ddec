import { notFound } from '../errors.js';
import { requireScope } from '../http/access.js';
import { BY_ID } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { previewOf } from './dry-run/preview.js';
import type { BulkNeeds } from './needs.js';
import { planOf } from './plan.js';
import { orderOf } from './request.js';
import {
  BULK_MONITORS_MAX,
  BULK_NAMED_MAX,
  BulkChange,
  BulkId,
  BulkPreview,
  BulkRequest,
  ListBulk,
  UndoBulk,
} from './schema.js';
import { requireIdle, startBulk } from './start.js';
import { startUndo } from './undo.js';
import { bulkView, startedView } from './view.js';

const TAG = 'Monitors';

/** Returns the routes of bulk changes. `wake` makes the work on accepted ones begin at once. */
export function createBulkRoutes(needs: BulkNeeds, wake: () => void): Route[] {
  return [changeRoute(needs, wake), ...readRoutes(needs), undoRoute(needs, wake)];
}

function changeRoute(needs: BulkNeeds, wake: () => void): Route {
  const { clock } = needs;
  return mutationRoute({
    method: 'POST',
    path: '/v1/monitors/bulk',
    access: 'monitors:write',
    tag: TAG,
    summary: 'Change, delete or add many monitors at once',
    description: `Changes up to ${BULK_MONITORS_MAX.toLocaleString('en-US')} monitors: those in \`ids\`, or those that \`filter\` finds. With \`dry_run\`, the reply has the exact difference and what alerts of the last 7 days would have changed; send its \`fingerprint\` to apply exactly that. Everything is validated first: one refused monitor refuses the whole change (422, or 402 when the plan does not allow it). An accepted change (202) is completed even if Picket is restarted; \`GET /v1/monitors/bulk/{id}\` shows its progress. One change of a workspace is applied at a time (409 otherwise). It can be undone for 24 hours.`,
    body: BulkRequest,
    replies: { 200: BulkPreview, 202: BulkChange },
    errors: ['plan_limit', 'precondition_failed'],
    isDryRun: ({ body }) => body.dry_run === true,
    handle({ actor, body, gone }, tx) {
      const order = orderOf(body);
      const isDryRun = body.dry_run === true;
      // It shows settings, also of monitors that the caller only guesses.
      if (isDryRun) requireScope(actor, 'monitors:read');
      return needs.planning.run(
        { workspaceId: actor.workspaceId, plan: actor.plan, isDryRun, gone },
        async (signal) => {
          if (isDryRun) return { status: 200, data: await previewOf(needs, tx, actor, { body, order, signal }) };
          await requireIdle(needs, tx, actor.workspaceId);
          const plan = await planOf(needs, tx, actor, order, signal);
          const job = await startBulk(needs, tx, actor, order, plan, body.fingerprint ?? null);
          tx.afterCommit(wake);
          return { status: 202, data: startedView(actor, job, clock.now()) };
        },
      );
    },
  });
}

function readRoutes({ store, pager, clock }: BulkNeeds): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/monitors/bulk',
      access: 'monitors:read',
      tag: TAG,
      summary: 'List bulk changes, newest first',
      description: 'Bulk changes of the last 30 days, without those that changed no monitor.',
      query: ListBulk,
      replies: { 200: BulkChange },
      list: true,
      async handle(input) {
        const page = pager.open('monitor_bulk', BY_ID, input);
        const rows = await store.list(input.actor.workspaceId, page.request);
        return page.reply(rows, (shown) => shown.map((job) => bulkView(job, [], clock.now())));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/monitors/bulk/{id}',
      access: 'monitors:read',
      tag: TAG,
      summary: 'Get a bulk change and its progress',
      params: BulkId,
      replies: { 200: BulkChange },
      async handle({ actor, params }) {
        const job = await store.find(actor.workspaceId, params.id);
        if (job === null) throw notFound('bulk change');
        return { status: 200, data: bulkView(job, await store.exceptions(job, BULK_NAMED_MAX), clock.now()) };
      },
    }),
  ];
}

function undoRoute(needs: BulkNeeds, wake: () => void): Route {
  return mutationRoute({
    method: 'POST',
    path: '/v1/monitors/bulk/{id}/undo',
    access: 'monitors:write',
    tag: TAG,
    summary: 'Undo a bulk change',
    description:
      'Within 24 hours. Afterwards the settings are what they were before, and deleted monitors exist again with their ids and their history. If somebody has changed monitors since, nothing is undone and the reply (409) names them, unless `on_conflict` says otherwise.',
    params: BulkId,
    body: UndoBulk,
    bodyOptional: true,
    replies: { 202: BulkChange },
    errors: ['plan_limit'],
    async handle({ actor, params, body }, tx) {
      const job = await startUndo(needs, tx, actor, params.id, body);
      tx.afterCommit(wake);
      return { status: 202, data: startedView(actor, job, needs.clock.now()) };
    },
  });
}
