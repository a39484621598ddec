import type { RunDocument } from '../../../../control-plane/client-reports/schedules/documents.js';
import type { WorkspaceInBrowser } from '../workspace-in-browser.js';
import { ALL, EMAILS, LONG, MARKUP, TAGS } from './hostile-names.js';

const DAY_MS = 86_400_000;
const RUNS = [
  ...(['sent', 'skipped', 'failed', 'generating'] as const).map((status) => ({
    status,
    reason: null as string | null,
  })),
  { status: 'skipped' as const, reason: `${MARKUP} ${LONG}` },
];

/** Schedules with names to break pages, and one with runs in each state. Resolves to its id. */
export async function fillSchedules(
  { mongo, workspaceId }: WorkspaceInBrowser,
  post: (path: string, body: unknown) => Promise<string>,
): Promise<string> {
  const body = {
    ...{ cron: '30 6 31 1,3,5 *', time_zone: 'America/Argentina/ComodRivadavia', period: 'previous_quarter' },
    ...{ recipients: [EMAILS[0], 'client@example.com'], title: ALL, client_name: ALL, monitors: { tags: TAGS } },
  };
  const add = (more: object) => post('/api/v1/client-reports/schedules', { ...body, ...more });
  await add({ name: LONG, client_name: LONG, cron: '0 8 L * *', enabled: false });
  await add({ name: MARKUP, cron: '0 8 * * SUN', monitors: undefined });
  const id = await add({ name: ALL });
  const nowMs = Date.now();
  const runs = RUNS.map(({ status, reason }, index): RunDocument => {
    const occurrence_ms = nowMs - index * DAY_MS;
    return {
      ...{ _id: `${id}/${new Date(occurrence_ms).toISOString()}`, workspace_id: workspaceId, schedule_id: id },
      ...{ occurrence_ms, missed: index, status, reason, report_id: null, link_expires_ms: null },
      period: { from_ms: occurrence_ms - 30 * DAY_MS, to_ms: occurrence_ms },
      recipients: (['sent', 'queued', 'failed', 'unconfirmed', 'unknown'] as const).map((each, place) => ({
        ...{ address: `${place}${EMAILS[0]}`, status: each, mail_id: null },
        sent_at_ms: each === 'sent' ? nowMs : null,
      })),
      ...{ created_at_ms: nowMs, finished_at_ms: nowMs, expires_at: new Date(nowMs + DAY_MS) },
    };
  });
  await mongo.db.collection<RunDocument>('client_report_runs').insertMany(runs);
  return id;
}
