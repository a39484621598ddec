import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { createBulkRunner } from '../../../control-plane/monitor-bulk/applying/runner.js';
import type { BulkNeeds } from '../../../control-plane/monitor-bulk/needs.js';
import { createPlanningLimit } from '../../../control-plane/monitor-bulk/planning.js';
import { createBulkRoutes } from '../../../control-plane/monitor-bulk/routes.js';
import type { BulkChange, BulkPreview } from '../../../control-plane/monitor-bulk/schema.js';
import { createBulkStore } from '../../../control-plane/monitor-bulk/store.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createManyMonitors } from '../../../control-plane/monitors/many/many.js';
import type { MonitorSecrets } from '../../../control-plane/monitors/secrets/secrets.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createResultsStore } from '../../../control-plane/results/store.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createBacktest } from '../../../control-plane/verdicts/backtest/backtest.js';
import type { Clock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import type { Answer } from '../app.js';
import { RULE_KINDS } from '../incidents/kinds.js';
import { startMonitorsApp } from '../monitors/app.js';
import { neverSetAside } from '../set-aside.js';

type Stopped = { stopped: boolean; plan: PlanName };

interface BulkAppOptions {
  plan?: PlanName;
  /** Defaults to the clock of the system. */
  now?: () => number;
  /** The timers that end what takes too long. By default they never do, so that a slow machine ends nothing. */
  after?: Clock['after'];
}

/** The API of bulk changes on a real database. `work` writes accepted changes; nothing else does. */
export async function startBulkApp(options: BulkAppOptions = {}) {
  const { plan = 'Enterprise', now = Date.now, after = () => ({ cancel() {} }) } = options;
  const standing: Stopped = { stopped: false, plan };
  const stoppedWorkspaces = new Set<string>();
  const deletedWorkspaces = new Set<string>();
  const opened = {
    needs: null as BulkNeeds | null,
    runner: null as ReturnType<typeof createBulkRunner> | null,
    secrets: null as MonitorSecrets | null,
  };
  const app = await startMonitorsApp({
    plan,
    more(context, { mongo, runTransaction, pager, secretBox, audit, ids, clock }) {
      const { db } = mongo;
      const incidents = createIncidentStore(db, RULE_KINDS);
      // Work takes no time, unless the test moves it forward: the time of a workspace in a minute is limited.
      const shifted = { ...clock, now, after, monotonic: options.now ?? (() => 0) };
      const results = createResultsStore(db, neverSetAside);
      const needs: BulkNeeds = {
        ...{ audit, ids, pager, runTransaction, clock: shifted, box: secretBox },
        store: createBulkStore(db),
        planning: createPlanningLimit({ clock: shifted }),
        monitors: createManyMonitors(context),
        backtest: createBacktest({
          monitors: context.store,
          results,
          incidents: {
            during: (workspaceId, monitorId, fromMs, toMs, limit) =>
              incidents.during(workspaceId, { kind: 'monitor', monitorId }, fromMs, toMs, limit),
          },
          yieldToEventLoop: () => yieldToEventLoop(),
          clock,
        }),
        countOutages: (workspaceId, monitorIds, fromMs, toMs) =>
          incidents.countsOf(workspaceId, { kind: 'monitor', monitorIds }, fromMs, toMs),
        standingOf: async (id) => {
          if (deletedWorkspaces.has(id)) return null;
          const stopped = standing.stopped || stoppedWorkspaces.has(id);
          return {
            ...standing,
            stopped,
            retentionPlan: standing.plan,
            onlyTo: null,
            agentsExcused: false,
            resumedMs: null,
          };
        },
        yieldToEventLoop: () => yieldToEventLoop(),
        logger: createLogger({ name: 'test', level: 'silent' }),
      };
      opened.needs = needs;
      opened.secrets = context.secrets;
      opened.runner = createBulkRunner({ ...needs, leases: createLeaseStore(db), owner: 'test' });
      return createBulkRoutes(needs, () => {});
    },
  });
  const { needs, runner } = opened;
  if (needs === null || runner === null) throw new Error('routes were not built');
  await needs.store.ensureIndexes();

  async function bulk<Data>(body: object, key?: string): Promise<Answer<Data>> {
    return app.request<Data>('POST', '/v1/monitors/bulk', { body, ...(key === undefined ? {} : { key }) });
  }
  const get = async (id: string) => (await app.request<BulkChange>('GET', `/v1/monitors/bulk/${id}`)).body.data;
  async function finished(answer: Answer<BulkChange>): Promise<BulkChange> {
    if (answer.status !== 202) throw new Error(answer.text);
    await runner?.runOnce();
    return get(answer.body.data.id);
  }
  const undo = (id: string, body?: object, key?: string) =>
    app.request<BulkChange>('POST', `/v1/monitors/bulk/${id}/undo`, {
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { key }),
    });
  return {
    app,
    needs,
    standing,
    stoppedWorkspaces,
    deletedWorkspaces,
    work: () => runner.runOnce(),
    bulk,
    get,
    undo,
    preview: async (body: object) => (await bulk<BulkPreview>({ ...body, dry_run: true })).body.data,
    /** Applies a change and waits until it is written. */
    apply: async (body: object) => finished(await bulk<BulkChange>(body)),
    /** Undoes a change and waits until it is written. */
    undone: async (id: string, body?: object) => finished(await undo(id, body)),
    /** The settings of monitors with their secrets, in the same bytes as long as they are the same. */
    settings: (monitors: MonitorDocument[]) =>
      monitors.map((monitor) => JSON.stringify(settingsAsStored(monitor, opened.secrets))),
    /** All monitors of the workspace of the app as stored, the oldest first. */
    stored: () =>
      app.mongo.db
        .collection<MonitorDocument>('monitors')
        .find({ workspace_id: app.workspace.id })
        .sort({ _id: 1 })
        .toArray(),
  };
}

/**
 * The fields that users set, as stored, except that the secrets are open: sealing the same ones again gives another text.
 * They must be the same after an undo.
 */
export function settingsAsStored(monitor: MonitorDocument, secrets: MonitorSecrets | null = null) {
  const { url, http } = secrets?.settings(monitor) ?? monitor;
  const { name, type, interval_seconds, timeout_ms, locations, confirmations, retries } = monitor;
  const { channels, tags, runbook_url, wanted, paused_at_ms } = monitor;
  return {
    ...{ _id: monitor._id, name, url, type, interval_seconds, timeout_ms, locations, http, confirmations, retries },
    ...{ channels, tags, runbook_url, wanted, paused_at_ms },
  };
}
