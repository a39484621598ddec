import { toIso } from '../../kernel/clock.js';
import { notFound } from '../errors.js';
import { BY_ID, type Pager } from '../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { DetachedReferences, DetachQuery } from '../references/schema.js';
import { createBackupJob, type JobWithToken } from './create.js';
import type { BackupJobDocument } from './documents.js';
import type { BackupJobNeeds } from './needs.js';
import { pingUrl } from './pings/token.js';
import { removeBackupJob } from './remove.js';
import { renewPingUrl } from './renew-url.js';
import { RUNS_KEPT_MAX } from './runs/store.js';
import {
  BackupJob,
  BackupJobBeginnings,
  BackupJobId,
  BackupJobWithUrl,
  BackupRun,
  BEGINNINGS_SHOWN,
  CreateBackupJob,
  ListBackupJobs,
  ListBackupRuns,
  NoBody,
  PreviewBackupJob,
  UpdateBackupJob,
} from './schema.js';
import { previewedBeginnings } from './settings.js';
import { updateBackupJob } from './update.js';
import { backupJobView, backupRunView } from './view.js';

const TAG = 'Backups';
const LIST_PATH = '/v1/backup-jobs';
const JOB_PATH = '/v1/backup-jobs/{id}';

export function createBackupJobRoutes(needs: BackupJobNeeds, pager: Pager): Route[] {
  return [...readRoutes(needs, pager), ...changeRoutes(needs)];
}

function readRoutes({ store, runs, clock }: BackupJobNeeds, pager: Pager): Route[] {
  const base = { method: 'GET', access: 'backups:read', tag: TAG } as const;
  return [
    readRoute({
      ...base,
      path: LIST_PATH,
      summary: 'List backup jobs, newest first',
      query: ListBackupJobs,
      replies: { 200: BackupJob },
      list: true,
      async handle({ actor, query }) {
        const page = pager.open('backup-jobs', BY_ID, { actor, query });
        const found = await store.list(actor.workspaceId, query, page.request);
        return page.reply(found, (rows) => rows.map(backupJobView));
      },
    }),
    readRoute({
      ...base,
      path: JOB_PATH,
      summary: 'Get a backup job',
      params: BackupJobId,
      replies: { 200: BackupJob },
      async handle({ actor, params }) {
        const job = await store.find(actor.workspaceId, params.id);
        if (job === null) throw notFound('backup job');
        return reply(job);
      },
    }),
    readRoute({
      ...base,
      method: 'POST',
      path: `${LIST_PATH}/preview`,
      summary: 'List the next beginnings of a schedule',
      description: 'Validates the schedule of a backup job as its creation does, and stores nothing.',
      body: PreviewBackupJob,
      replies: { 200: BackupJobBeginnings },
      async handle({ body }) {
        const beginnings = previewedBeginnings(body.schedule, clock.now(), BEGINNINGS_SHOWN);
        return { status: 200, data: { beginnings: beginnings.map(toIso) } };
      },
    }),
    readRoute({
      ...base,
      path: `${JOB_PATH}/runs`,
      summary: 'List the runs of a backup job, newest first',
      description: `Picket keeps the newest ${RUNS_KEPT_MAX.toLocaleString('en-US')} runs, as long as hourly values on the plan.`,
      params: BackupJobId,
      query: ListBackupRuns,
      replies: { 200: BackupRun },
      list: true,
      async handle({ actor, params, query }) {
        const job = await store.find(actor.workspaceId, params.id);
        if (job === null) throw notFound('backup job');
        const page = pager.open(`backup-runs/${job._id}`, BY_ID, { actor, query });
        const found = await runs.list(actor.workspaceId, job._id, page.request);
        return page.reply(found, (rows) => rows.map(backupRunView));
      },
    }),
  ];
}

function changeRoutes(needs: BackupJobNeeds): Route[] {
  const base = { access: 'backups:write', tag: TAG } as const;
  const withUrl = ({ job, token }: JobWithToken) => ({
    ...backupJobView(job),
    ping_url: pingUrl(needs.publicUrl, token),
  });
  return [
    mutationRoute({
      ...base,
      method: 'POST',
      path: LIST_PATH,
      summary: 'Create a backup job',
      description:
        'The answer has the ping URL, once. The first job of a workspace also creates the alert rule for missed and failed backups.',
      body: CreateBackupJob,
      replies: { 201: BackupJobWithUrl },
      errors: ['plan_limit'],
      async handle({ actor, body }, tx) {
        const created = await createBackupJob(needs, tx, actor, body);
        const { _id, version } = created.job;
        return { status: 201, data: withUrl(created), version, location: `${LIST_PATH}/${_id}` };
      },
    }),
    mutationRoute({
      ...base,
      method: 'POST',
      path: `${JOB_PATH}/ping-url`,
      summary: 'Replace the ping URL of a backup job',
      description: 'The answer has the new URL, once. The one before ends at once.',
      params: BackupJobId,
      body: NoBody,
      bodyOptional: true,
      replies: { 200: BackupJobWithUrl },
      errors: ['conflict'],
      async handle({ actor, params }, tx) {
        return { status: 200, data: withUrl(await renewPingUrl(needs, tx, actor, params.id)) };
      },
    }),
    mutationRoute({
      ...base,
      method: 'PATCH',
      path: JOB_PATH,
      summary: 'Update a backup job',
      description:
        'Only the fields you send are updated. After a change of the schedule, the next ping is expected at its next beginning. Supports `If-Match`.',
      params: BackupJobId,
      body: UpdateBackupJob,
      replies: { 200: BackupJob },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        return reply(await updateBackupJob(needs, tx, actor, { id: params.id, patch: body, ifVersion }));
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: JOB_PATH,
      summary: 'Delete a backup job',
      description:
        'Resolves its incident and deletes its runs. Returns 409 `conflict` with `used_by` while alert rules name it. With `detach=true`, they no longer name it, which needs the right to change them; a rule that names no other one then applies to none. Supports `If-Match`.',
      params: BackupJobId,
      query: DetachQuery,
      replies: { 200: DetachedReferences, 204: null },
      errors: ['conflict'],
      handle: ({ actor, params, query, ifVersion }, tx) =>
        removeBackupJob(needs, tx, actor, { id: params.id, ifVersion, detach: query.detach === true }),
    }),
  ];
}

function reply(job: BackupJobDocument) {
  return { status: 200 as const, data: backupJobView(job), version: job.version };
}
