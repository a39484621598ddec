import type { PlanName } from '../accounts/plans.js';
import type { Actor } from '../actor.js';
import { AppError, type FieldError } from '../errors.js';
import { announce, type MonitorContext, rulesFor } from '../monitors/context.js';
import { newMonitor, recordCreated, reserveMonitors } from '../monitors/create.js';
import type { MonitorDocument } from '../monitors/documents.js';
import { type MonitorSettings, newSettings, planRefusal } from '../monitors/settings.js';
import { applySettings, settingsChanges } from '../monitors/update.js';
import type { Transaction } from '../storage/transaction.js';
import type { ImportEntry, ImportFile } from './import-file.js';
import { type ImportMatch, matchImport } from './import-match.js';
import type { PortableMonitor } from './portable.js';
import type { ImportReport } from './schema.js';

/** More errors than these help nobody. */
const ERRORS_MAX = 50;
/** So few may all be checked at once; more wait for their turn in the schedule. */
const CHECKED_AT_ONCE_MAX = 100;

type Judged =
  | { ok: true; entry: PortableMonitor; settings: MonitorSettings; notes: string[] }
  | { ok: false; name: string; errors: FieldError[]; notes: string[] };

/**
 * Creates and updates what a file names, in one transaction: all of it or nothing. Monitors that the file does not
 * name stay. In a file of ours one bad entry refuses the whole; of a backup made by another program, what Picket
 * does not have is left out. A dry run judges in the same way, reports every refusal, and writes nothing.
 */
export async function importMonitors(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  file: ImportFile,
  dryRun: boolean,
): Promise<ImportReport> {
  const unknownChannels = await unknownChannelsOf(context, tx, actor, file);
  const judged = file.entries.map((entry) => judge(context, actor, entry, unknownChannels));
  const isAllOrNothing = !dryRun && file.format === 'picket';
  if (isAllOrNothing) refuseBadEntries(file, judged);
  const good = judged.filter((entry) => entry.ok);
  const existing = await context.store.findByNames(tx, actor.workspaceId, [...new Set(good.map(nameOf))]);
  const settings = good.map((entry) => entry.settings);
  const matches = matchImport(settings, existing).map((match, index) => withinPlan(match, settings[index], actor.plan));
  if (isAllOrNothing) refuseBadMatches(matches);
  await reserveMonitors(context, tx, actor, matches.filter((match) => match.action === 'created').length);
  const written = dryRun ? null : await write(context, tx, actor, good, matches);
  return report(file, judged, matches, written);
}

/** A monitor that exists is judged by what changes, so this comes after the matching. */
function withinPlan(match: ImportMatch, settings: MonitorSettings | undefined, plan: PlanName): ImportMatch {
  if (settings === undefined || match.action === 'refused' || match.action === 'unchanged') return match;
  const refusal = planRefusal(settings, match.action === 'updated' ? match.monitor : null, plan);
  return refusal === null ? match : { action: 'refused', code: 'plan_limit', reason: refusal };
}

function nameOf(entry: { settings: MonitorSettings }): string {
  return entry.settings.name;
}

async function unknownChannelsOf(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  file: ImportFile,
): Promise<ReadonlySet<string>> {
  const named = new Set(file.entries.flatMap(({ entry }) => entry?.channels ?? []));
  return named.size === 0 ? named : new Set(await context.channels.unknown(tx, actor.workspaceId, [...named]));
}

function judge(
  context: MonitorContext,
  actor: Actor,
  { name, entry, errors, notes }: ImportEntry,
  unknownChannels: ReadonlySet<string>,
): Judged {
  if (entry === null) return { ok: false, name, errors, notes };
  const { paused: _paused, ...input } = entry;
  const checked = newSettings(input, rulesFor(context, actor));
  const found = [...checked.errors];
  input.channels?.forEach((id, index) => {
    if (unknownChannels.has(id))
      found.push({ path: `/channels/${index}`, message: 'must be a channel of this workspace' });
  });
  return found.length > 0
    ? { ok: false, name, errors: found, notes }
    : { ok: true, entry, settings: checked.settings, notes };
}

function refuseBadEntries(file: ImportFile, judged: readonly Judged[]): void {
  const errors = judged.flatMap((entry, index) =>
    entry.ok ? [] : entry.errors.map(({ path, message }) => ({ path: `/${file.member}/${index}${path}`, message })),
  );
  const [first] = errors;
  if (first === undefined) return;
  throw new AppError('validation_failed', `Nothing was imported: ${first.path} ${first.message}.`, {
    errors: errors.slice(0, ERRORS_MAX),
  });
}

/** Whoever comes here has only good entries, so the matches are in step with the file. */
function refuseBadMatches(matches: readonly ImportMatch[]): void {
  const index = matches.findIndex((match) => match.action === 'refused');
  const match = matches[index];
  if (match?.action !== 'refused') return;
  throw new AppError(match.code, `Nothing was imported: /monitors/${index}: ${match.reason}`, {
    ...(match.code === 'plan_limit' ? {} : { errors: [{ path: `/monitors/${index}/name`, message: match.reason }] }),
  });
}

/** The monitors behind the matches, in their order; null for a refused one. */
async function write(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  entries: readonly { entry: PortableMonitor; settings: MonitorSettings }[],
  matches: readonly ImportMatch[],
): Promise<(MonitorDocument | null)[]> {
  const pausedAtMs = context.clock.now();
  const written: (MonitorDocument | null)[] = [];
  const created: MonitorDocument[] = [];
  const updated: MonitorDocument[] = [];
  for (const [index, { entry, settings }] of entries.entries()) {
    const match = matches[index];
    if (match === undefined || match.action === 'refused') written.push(null);
    else if (match.action === 'unchanged') written.push(match.monitor);
    else if (match.action === 'updated') {
      const monitor = await applySettings(context, tx, actor, match.monitor, settings);
      updated.push(monitor);
      written.push(monitor);
    } else {
      const monitor = newMonitor(context, actor, settings, entry.paused === true ? pausedAtMs : null);
      created.push(monitor);
      written.push(monitor);
    }
  }
  if (created.length > 0) await context.store.insert(tx, created);
  for (const monitor of created) await recordCreated(context, tx, actor, monitor);
  if (updated.length > 0) await announce(context, tx, updated, null);
  const toCheck = created.filter((monitor) => monitor.paused_at_ms === null);
  if (created.length > 0) await announce(context, tx, created, toCheck.length <= CHECKED_AT_ONCE_MAX ? 'manual' : null);
  return written;
}

function report(
  file: ImportFile,
  judged: readonly Judged[],
  matches: readonly ImportMatch[],
  written: readonly (MonitorDocument | null)[] | null,
): ImportReport {
  const summary = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  let next = 0;
  const monitors = judged.map((entry): ImportReport['monitors'][number] => {
    if (!entry.ok) {
      summary.refused += 1;
      const reasons = entry.errors.map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
      return { name: entry.name, action: 'refused', id: null, changes: [], reasons, notes: entry.notes };
    }
    const index = next++;
    const match: ImportMatch | undefined = matches[index];
    if (match === undefined) throw new Error('an entry without a match');
    summary[match.action] += 1;
    const known = match.action === 'unchanged' || match.action === 'updated' ? match.monitor : null;
    return {
      name: entry.settings.name,
      action: match.action,
      id: known?._id ?? written?.[index]?._id ?? null,
      changes: match.action === 'updated' ? Object.keys(settingsChanges(match.monitor, entry.settings)) : [],
      reasons: match.action === 'refused' ? [match.reason] : [],
      notes: entry.notes,
    };
  });
  return { dry_run: written === null, format: file.format, summary, monitors };
}
