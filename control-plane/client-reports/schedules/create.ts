import type { Actor } from '../../actor.js';
import { PLANS } from '../../plans/plans.js';
import { refuseOverQuota } from '../../plans/quota.js';
import type { Transaction } from '../../storage/transaction.js';
import { checkMonitors, nextAtMs, refuseToOutliveKey, type WrittenSchedule, writeLogo } from './change.js';
import type { ScheduleDocument } from './documents.js';
import type { ScheduleNeeds } from './needs.js';
import type { CreateSchedule } from './schema.js';
import { newSettings } from './settings.js';
import { audited, settingsShown } from './view.js';

/** Creates a schedule and asks its recipients. Throws 422, and 402 beyond the plan. */
export async function createSchedule(
  needs: ScheduleNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateSchedule,
): Promise<WrittenSchedule> {
  const { schedules, ids, clock, audit, recipients } = needs;
  refuseToOutliveKey(actor);
  const { workspaceId } = actor;
  const nowMs = clock.now();
  const settings = newSettings(input, nowMs);
  await checkMonitors(needs, tx, actor, settings, []);
  const allowed = PLANS[actor.plan].reportSchedules;
  refuseOverQuota(actor.plan, 'reportSchedules', await schedules.lockAndCount(tx, workspaceId, allowed));
  const id = ids.next('sch');
  const schedule: ScheduleDocument = {
    _id: id,
    workspace_id: workspaceId,
    ...settings,
    next_at_ms: nextAtMs(settings, nowMs),
    retry_at_ms: 0,
    logo: await writeLogo(needs, tx, { workspaceId, id }, input.branding?.logo, null),
    created_by: actor.email,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await schedules.insert(tx, schedule);
  await audit.record(tx, actor, audited('report.schedule_created', schedule, settingsShown(schedule)));
  const notAsked = await recipients.ask(tx, actor, { added: schedule.recipients, kept: [], mails: 'reports' });
  return { schedule, notAsked };
}
