import type { Actor } from '../../actor.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import type { Transaction } from '../../storage/transaction.js';
import {
  checkMonitors,
  loadSchedule,
  nextAtMs,
  refuseToOutliveKey,
  type WrittenSchedule,
  writeChange,
  writeLogo,
} from './change.js';
import type { ScheduleNeeds } from './needs.js';
import type { UpdateSchedule } from './schema.js';
import { changedSettings } from './settings.js';
import { audited, settingsChanges } from './view.js';

/** Updates a schedule, and asks the recipients that it adds. An update without changes writes nothing. */
export async function updateSchedule(
  needs: ScheduleNeeds,
  tx: Transaction,
  actor: Actor,
  { id, patch, ifVersion }: { id: string; patch: UpdateSchedule; ifVersion: number | null },
): Promise<WrittenSchedule> {
  const schedule = await loadSchedule(needs, tx, actor, id, ifVersion);
  const nowMs = needs.clock.now();
  const settings = changedSettings(schedule, patch, nowMs);
  await checkMonitors(needs, tx, actor, settings, schedule.monitors?.ids ?? []);
  const newLogo = patch.branding?.logo;
  const logo = await writeLogo(needs, tx, { workspaceId: actor.workspaceId, id }, newLogo, schedule.logo);
  const changes = settingsChanges(schedule, { ...settings, logo });
  if (Object.keys(changes).length === 0 && typeof newLogo !== 'string') return { schedule, notAsked: [] };
  const before = new Set(schedule.recipients.map(canonicalEmail));
  const isKept = (address: string) => before.has(canonicalEmail(address));
  if (!settings.recipients.every(isKept)) refuseToOutliveKey(actor);
  // What was due before the change is not made with the changed times.
  const isRescheduled = ['cron', 'time_zone', 'enabled'].some((field) => field in changes);
  const changed = await writeChange(needs, tx, schedule, {
    ...settings,
    logo,
    ...(isRescheduled ? { next_at_ms: nextAtMs(settings, nowMs), retry_at_ms: 0 } : {}),
  });
  const logoChange = typeof newLogo === 'string' ? { logo_changed: true } : {};
  await needs.audit.record(tx, actor, audited('report.schedule_updated', changed, { changes, ...logoChange }));
  const notAsked = await needs.recipients.ask(tx, actor, {
    added: changed.recipients.filter((address) => !isKept(address)),
    kept: changed.recipients.filter(isKept),
    mails: 'reports',
  });
  return { schedule: changed, notAsked };
}
