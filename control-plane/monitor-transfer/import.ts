import type { Actor } from '../actor.js';
import { AppError, invalidField, invalidFields } from '../errors.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { MonitorSettings } from '../monitors/monitors.js';
import { planRefusal } from '../monitors/monitors.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import type { ImportEntry, ImportFile } from './import-file.js';
import { type ImportMatch, matchImport } from './import-match.js';
import { importReport, type ValidatedEntry } from './import-report.js';
import type { TransferNeeds } from './needs.js';
import type { PortableMonitor } from './portable.js';
import type { ImportReport } from './schema.js';

/** A reply lists at most this many errors. */
const ERRORS_MAX = 50;
/**
 * Monitors of the workspace with the names in a file. Each is opened and compared, while this process does nothing else:
 * 5,000 take about a third of a second. A workspace can have 50,000 monitors of one name.
 */
const NAMESAKES_MAX = 5_000;
/** Up to this many new monitors are checked at once; more wait for their slot in the schedule. */
const CHECKED_AT_ONCE_MAX = 100;

/**
 * Creates and updates the monitors of a file in one transaction, all or none. Monitors that are not in the file stay.
 * One invalid entry refuses a whole Picket file; of an Uptime Kuma backup, monitors that Picket does not support are
 * skipped. A dry run validates in the same way, returns every refusal, and writes nothing.
 */
export async function importMonitors(
  needs: TransferNeeds,
  tx: Transaction,
  actor: Actor,
  file: ImportFile,
  dryRun: boolean,
): Promise<ImportReport> {
  const unknownChannels = await unknownChannelsOf(needs, tx, actor, file);
  const validated = file.entries.map((entry) => validate(needs, actor, entry, unknownChannels));
  const isAllOrNothing = !dryRun && file.format === 'picket';
  if (isAllOrNothing) refuseInvalidEntries(file, validated);
  const valid = validated.filter((entry) => entry.ok);
  const names = [...new Set(valid.map(nameOf))];
  const named = await needs.monitors.findByNames(tx, actor.workspaceId, names, NAMESAKES_MAX + 1);
  if (named.length > NAMESAKES_MAX) {
    throw invalidField(
      '',
      `names more than ${NAMESAKES_MAX} monitors of this workspace; rename them or split the file`,
    );
  }
  const existing = named.map((monitor) => ({ monitor, settings: needs.monitors.settings(monitor) }));
  const entries = valid.map((entry) => entry.settings);
  const matches = matchImport(entries, existing).map((match) => withinPlan(match, actor.plan));
  if (isAllOrNothing) refuseInvalidMatches(matches);
  await needs.monitors.reserve(tx, actor, matches.filter((match) => match.action === 'created').length);
  const written = dryRun ? null : await write(needs, tx, actor, valid, matches);
  return importReport(file, validated, matches, written);
}

/** The plan's limits apply only to changed settings of an existing monitor, so this check follows the matching. */
function withinPlan(match: ImportMatch, plan: PlanName): ImportMatch {
  if (match.action === 'refused' || match.action === 'unchanged') return match;
  const refusal = planRefusal(match.settings, match.action === 'updated' ? match.existing.settings : null, plan);
  if (refusal === null) return match;
  return { action: 'refused', code: 'plan_limit', errors: [{ path: '', message: refusal }] };
}

function nameOf(entry: { settings: MonitorSettings }): string {
  return entry.settings.name;
}

async function unknownChannelsOf(
  needs: TransferNeeds,
  tx: Transaction,
  actor: Actor,
  file: ImportFile,
): Promise<ReadonlySet<string>> {
  const named = new Set(file.entries.flatMap(({ entry }) => entry?.channels ?? []));
  return named.size === 0 ? named : new Set(await needs.monitors.unknownChannels(tx, actor.workspaceId, [...named]));
}

function validate(
  needs: TransferNeeds,
  actor: Actor,
  { name, entry, errors, notes }: ImportEntry,
  unknownChannels: ReadonlySet<string>,
): ValidatedEntry {
  if (entry === null) return { ok: false, name, errors, notes };
  const { paused: _paused, ...input } = entry;
  const checked = needs.monitors.newSettings(actor, input);
  const found = [...checked.errors];
  input.channels?.forEach((id, index) => {
    if (unknownChannels.has(id))
      found.push({ path: `/channels/${index}`, message: 'must be a channel of this workspace' });
  });
  return found.length > 0
    ? { ok: false, name, errors: found, notes }
    : { ok: true, entry, settings: checked.settings, notes };
}

function refuseInvalidEntries(file: ImportFile, validated: readonly ValidatedEntry[]): void {
  const errors = validated.flatMap((entry, index) =>
    entry.ok ? [] : entry.errors.map(({ path, message }) => ({ path: `/${file.field}/${index}${path}`, message })),
  );
  if (errors.length > 0) throw invalidFields(errors.slice(0, ERRORS_MAX), 'Nothing was imported: ');
}

/** Every entry is valid at this point, so the indexes of the matches are those of the file. */
function refuseInvalidMatches(matches: readonly ImportMatch[]): void {
  const index = matches.findIndex((match) => match.action === 'refused');
  const match = matches[index];
  if (match?.action !== 'refused') return;
  const errors = match.errors.map(({ path, message }) => ({ path: `/monitors/${index}${path}`, message }));
  throw new AppError(match.code, `Nothing was imported: ${errors[0]?.path} ${errors[0]?.message}.`, {
    ...(match.code === 'plan_limit' ? {} : { errors }),
  });
}

/** Returns the monitors of the matches, in the same order; null for a refused match. */
async function write(
  { monitors, clock }: TransferNeeds,
  tx: Transaction,
  actor: Actor,
  entries: readonly { entry: PortableMonitor }[],
  matches: readonly ImportMatch[],
): Promise<(MonitorDocument | null)[]> {
  const nowMs = clock.now();
  const written: (MonitorDocument | null)[] = [];
  const toCreate: { index: number; settings: MonitorSettings; pausedAtMs: number | null }[] = [];
  const updated: MonitorDocument[] = [];
  for (const [index, { entry }] of entries.entries()) {
    const match = matches[index];
    let monitor: MonitorDocument | null = null;
    if (match?.action === 'unchanged') monitor = match.existing.monitor;
    if (match?.action === 'updated') {
      monitor = await monitors.update(tx, actor, match.existing.monitor, match.settings);
      updated.push(monitor);
    }
    if (match?.action === 'created') {
      toCreate.push({ index, settings: match.settings, pausedAtMs: entry.paused === true ? nowMs : null });
    }
    written.push(monitor);
  }
  const created = await monitors.create(tx, actor, toCreate);
  toCreate.forEach(({ index }, at) => {
    written[index] = created[at] ?? null;
  });
  if (updated.length > 0) await monitors.announce(tx, updated, null);
  const active = created.filter((monitor) => monitor.paused_at_ms === null);
  if (created.length > 0) await monitors.announce(tx, created, active.length <= CHECKED_AT_ONCE_MAX ? 'manual' : null);
  return written;
}
