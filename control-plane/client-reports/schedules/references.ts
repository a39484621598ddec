import type { ReferenceHolder } from '../../references/references.js';
import { writeChange } from './change.js';
import type { ScheduleNeeds } from './needs.js';
import { audited, settingsChanges } from './view.js';

/** Returns the schedules as what names monitors. */
export function scheduleReferences(needs: Pick<ScheduleNeeds, 'schedules' | 'clock' | 'audit'>): ReferenceHolder {
  return {
    to: 'monitor',
    read: 'reports:read',
    write: 'reports:write',
    limited: true,
    async findAny(tx, workspaceId, ids, max) {
      const found = await needs.schedules.naming(tx, workspaceId, ids);
      return {
        total: found.length,
        items: found.slice(0, max).map(({ _id, name }) => ({ type: 'report_schedule', id: _id, name })),
        named: found.flatMap(({ monitors }) => monitors?.ids ?? []),
      };
    },
    async find(tx, workspaceId, id, max) {
      const found = await needs.schedules.naming(tx, workspaceId, [id]);
      return {
        total: found.length,
        items: found.slice(0, max).map(({ _id, name }) => ({ type: 'report_schedule', id: _id, name })),
        async detach(actor) {
          const detached = [];
          for (const schedule of found) {
            const left = (schedule.monitors?.ids ?? []).filter((one) => one !== id);
            // Without any monitor, the next occurrence says so: a report about all of them could go to a wrong client.
            const monitors = { ids: left, tags: schedule.monitors?.tags ?? [] };
            const changed = await writeChange(needs, tx, schedule, { monitors });
            const changes = settingsChanges(schedule, changed);
            await needs.audit.record(tx, actor, audited('report.schedule_updated', changed, { changes }));
            detached.push({ type: 'report_schedule' as const, id: schedule._id, name: schedule.name, left });
          }
          return detached;
        },
      };
    },
  };
}
