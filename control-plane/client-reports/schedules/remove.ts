import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import { loadSchedule } from './change.js';
import type { ScheduleNeeds } from './needs.js';
import { audited } from './view.js';

/** Deletes a schedule with its history. Its reports stay; one that is being generated is sent to nobody, and links end. */
export async function removeSchedule(
  needs: Pick<ScheduleNeeds, 'schedules' | 'runs' | 'files' | 'audit'>,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion }: { id: string; ifVersion: number | null },
): Promise<void> {
  const { schedules, runs, files, audit } = needs;
  const { workspaceId } = actor;
  const schedule = await loadSchedule(needs, tx, actor, id, ifVersion);
  if (!(await schedules.remove(tx, workspaceId, id))) throw notFound('report schedule');
  await runs.removeOf(tx, workspaceId, id);
  await files.removeOf(tx, workspaceId, id);
  await audit.record(tx, actor, audited('report.schedule_deleted', schedule));
}
