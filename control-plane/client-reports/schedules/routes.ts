import { toIso } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { BY_ID } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import type { Transaction } from '../../storage/transaction.js';
import { createSchedule } from './create.js';
import type { ScheduleDocument } from './documents.js';
import type { ScheduleNeeds } from './needs.js';
import { notAskedWarnings } from './not-asked.js';
import { removeSchedule } from './remove.js';
import {
  CreateSchedule,
  ListSchedules,
  OCCURRENCES_SHOWN,
  PreviewSchedule,
  Run,
  Schedule,
  ScheduleId,
  SchedulePreview,
  UpdateSchedule,
} from './schema.js';
import { previewedTimes } from './settings.js';
import { monthDayWarnings } from './times/month-days.js';
import { nextOccurrences, type ScheduleTimes } from './times/occurrences.js';
import { updateSchedule } from './update.js';
import { type BesideSchedules, runView, scheduleView } from './view.js';

const PATH = '/api/v1/client-reports/schedules';
const TAG = 'Client reports';

export function createScheduleRoutes(needs: ScheduleNeeds): Route[] {
  return [...readRoutes(needs), ...writeRoutes(needs)];
}

function readRoutes(needs: ScheduleNeeds): Route[] {
  const { schedules, runs, pager } = needs;
  const base = { method: 'GET', access: 'reports:read', tag: TAG } as const;
  return [
    readRoute({
      ...base,
      path: PATH,
      summary: 'List report schedules, newest first',
      query: ListSchedules,
      replies: { 200: Schedule },
      list: true,
      async handle(input) {
        const { workspaceId } = input.actor;
        const page = pager.open('report-schedules', BY_ID, input);
        const found = await schedules.list(workspaceId, page.request);
        const beside = await readBeside(needs, workspaceId, found);
        const nowMs = needs.clock.now();
        return page.reply(found, (rows) => rows.map((one) => scheduleView(one, beside, nowMs)));
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}`,
      summary: 'Get a report schedule',
      params: ScheduleId,
      replies: { 200: Schedule },
      async handle({ actor, params }) {
        return reply(needs, actor, await findSchedule(needs, actor, params.id));
      },
    }),
    readRoute({
      ...base,
      method: 'POST',
      path: `${PATH}/preview`,
      summary: 'List the next occurrences of a report schedule',
      description:
        'Validates the times of a schedule as its creation does, and stores nothing. `warnings` name the months that do not have a chosen day.',
      body: PreviewSchedule,
      replies: { 200: SchedulePreview },
      warns: true,
      async handle({ body }) {
        const nowMs = needs.clock.now();
        const times = previewedTimes(body, nowMs);
        const data = { next_occurrences: nextOccurrences(times, nowMs, OCCURRENCES_SHOWN).map(toIso) };
        return { status: 200, data, ...warningsOf(times, []) };
      },
    }),
    readRoute({
      ...base,
      path: `${PATH}/{id}/runs`,
      summary: 'List what a report schedule has sent, newest first',
      description:
        'One row for each occurrence: the report, who got it and when, or why nothing was sent. Rows are kept for 400 days.',
      params: ScheduleId,
      query: ListSchedules,
      replies: { 200: Run },
      list: true,
      async handle({ actor, params, query }) {
        const { _id } = await findSchedule(needs, actor, params.id);
        const page = pager.open(`report-schedules/${_id}/runs`, BY_ID, { actor, query });
        const found = await runs.list(actor.workspaceId, _id, page.request);
        return page.reply(found, (rows) => rows.map(runView));
      },
    }),
  ];
}

function writeRoutes(needs: ScheduleNeeds): Route[] {
  const base = { access: 'reports:write', tag: TAG } as const;
  return [
    mutationRoute({
      ...base,
      confirmedEmail: true,
      method: 'POST',
      path: PATH,
      summary: 'Create a report schedule',
      description:
        'Picket creates a report at each occurrence and sends it to the recipients by e-mail. `warnings` name the months that do not have a chosen day, and recipients that could not be asked today. Needs `reports:read` too, and no API key with an expiry can do it.',
      body: CreateSchedule,
      replies: { 201: Schedule },
      errors: ['plan_limit'],
      warns: true,
      async handle({ actor, body }, tx) {
        const { schedule, notAsked } = await createSchedule(needs, tx, actor, body);
        const answer = await reply(needs, actor, schedule, tx);
        return { ...answer, status: 201, location: `${PATH}/${schedule._id}`, ...warningsOf(schedule, notAsked) };
      },
    }),
    mutationRoute({
      ...base,
      confirmedEmail: true,
      method: 'PATCH',
      path: `${PATH}/{id}`,
      summary: 'Update a report schedule',
      description:
        'Only the fields you send are updated. A change of the times makes no report for an occurrence before it. Adding a recipient needs the same as creating a schedule. Supports `If-Match`.',
      params: ScheduleId,
      body: UpdateSchedule,
      replies: { 200: Schedule },
      errors: ['conflict'],
      warns: true,
      async handle({ actor, params, body, ifVersion }, tx) {
        const { schedule, notAsked } = await updateSchedule(needs, tx, actor, {
          id: params.id,
          patch: body,
          ifVersion,
        });
        return { ...(await reply(needs, actor, schedule, tx)), ...warningsOf(schedule, notAsked) };
      },
    }),
    mutationRoute({
      ...base,
      method: 'DELETE',
      path: `${PATH}/{id}`,
      summary: 'Delete a report schedule and its history',
      description: 'Its reports stay. The links in its mails stop working. Supports `If-Match`.',
      params: ScheduleId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await removeSchedule(needs, tx, actor, { id: params.id, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}

async function findSchedule({ schedules }: ScheduleNeeds, actor: Actor, id: string): Promise<ScheduleDocument> {
  const schedule = await schedules.find(actor.workspaceId, id);
  if (schedule === null) throw notFound('report schedule');
  return schedule;
}

async function reply(needs: ScheduleNeeds, actor: Actor, schedule: ScheduleDocument, tx?: Transaction) {
  const data = scheduleView(schedule, await readBeside(needs, actor.workspaceId, [schedule], tx), needs.clock.now());
  return { status: 200 as const, data, version: schedule.version };
}

async function readBeside(
  { recipients, runs }: ScheduleNeeds,
  workspaceId: string,
  shown: readonly ScheduleDocument[],
  tx?: Transaction,
): Promise<BesideSchedules> {
  const addresses = shown.flatMap((one) => one.recipients);
  const unconfirmed = await recipients.unconfirmed(workspaceId, addresses, tx);
  // Runs are written by a task of its own: a change of a schedule has none that a reader outside its transaction does not see.
  const lastRuns = await runs.latestOf(
    workspaceId,
    shown.map(({ _id }) => _id),
  );
  return { unconfirmed, lastRuns };
}

function warningsOf({ cron }: ScheduleTimes, notAsked: readonly string[]) {
  const warnings = [...monthDayWarnings(cron), ...notAskedWarnings(notAsked)];
  return warnings.length === 0 ? {} : { warnings };
}
