import type { Actor } from '../../actor.js';
import { AppError, invalidField, notFound } from '../../errors.js';
import { refuseKeyWithExpiry, requireScope } from '../../http/access.js';
import { requireVersion } from '../../http/etag.js';
import { type Logo, readLogo } from '../../logo/logo.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ScheduleDocument, ScheduleSettings } from './documents.js';
import type { ScheduleNeeds } from './needs.js';
import type { ScheduleChange } from './store.js';
import { occurrencesAfter } from './times/occurrences.js';

/** What a request has written. */
export interface WrittenSchedule {
  schedule: ScheduleDocument;
  /** Addresses that were not asked, because too many questions were asked today. */
  notAsked: readonly string[];
}

/** Throws 404, and 412 when the schedule is not the version that the client has read. */
export async function loadSchedule(
  { schedules }: Pick<ScheduleNeeds, 'schedules'>,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<ScheduleDocument> {
  const schedule = await schedules.find(actor.workspaceId, id, tx);
  if (schedule === null) throw notFound('report schedule');
  requireVersion(ifVersion, schedule.version);
  return schedule;
}

/** Throws `forbidden` for a key that would send somebody what it may not read, or what nobody can read with it any more later. */
export function refuseToOutliveKey(actor: Actor): void {
  requireScope(actor, 'reports:read');
  refuseKeyWithExpiry(actor, 'have reports sent to somebody');
}

/** Throws 422 when a monitor is not of the workspace. `known` are those that the schedule names already. */
export async function checkMonitors(
  { referenceLock, existingMonitors }: Pick<ScheduleNeeds, 'referenceLock' | 'existingMonitors'>,
  tx: Transaction,
  actor: Actor,
  { monitors }: Pick<ScheduleSettings, 'monitors'>,
  known: readonly string[],
): Promise<void> {
  const ids = monitors?.ids ?? [];
  const added = ids.filter((id) => !known.includes(id));
  if (added.length === 0) return;
  await referenceLock.refer(tx, added);
  const found = await existingMonitors(tx, actor.workspaceId, added);
  const unknown = added.find((id) => !found.has(id));
  if (unknown === undefined) return;
  throw invalidField(`/monitors/ids/${ids.indexOf(unknown)}`, `must be a monitor of this workspace: ${unknown}`);
}

/** Returns the first occurrence after `nowMs`; null while the schedule is paused. */
export function nextAtMs(settings: ScheduleSettings, nowMs: number): number | null {
  if (!settings.enabled) return null;
  for (const atMs of occurrencesAfter(settings, nowMs)) return atMs;
  return null;
}

/**
 * Stores the logo of a request, or removes the one before. Returns its type; `current` if the request has none. Throws 422 for
 * a wrong picture.
 */
export async function writeLogo(
  { files }: Pick<ScheduleNeeds, 'files'>,
  tx: Transaction,
  of: { workspaceId: string; id: string },
  sent: string | null | undefined,
  current: Logo['type'] | null,
): Promise<Logo['type'] | null> {
  if (sent === undefined) return current;
  const logo = sent === null ? null : await readLogo(sent, '/branding/logo');
  await files.removeOf(tx, of.workspaceId, of.id);
  if (logo !== null) await files.insert(tx, of, 'logo', logo.bytes);
  return logo?.type ?? null;
}

/** Stores a change. */
export async function writeChange(
  { schedules, clock }: Pick<ScheduleNeeds, 'schedules' | 'clock'>,
  tx: Transaction,
  schedule: ScheduleDocument,
  change: ScheduleChange,
): Promise<ScheduleDocument> {
  const changed = await schedules.change(tx, schedule, { ...change, updated_at_ms: clock.now() });
  // A concurrent change usually ends this transaction with a write conflict, which repeats it. This is a second guard.
  if (changed === null) throw new AppError('conflict', 'A concurrent request changed the report schedule.');
  return changed;
}
