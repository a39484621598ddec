import type { Actor } from '../actor.js';
import { AppError, invalidField, invalidFields } from '../errors.js';
import { planRefusal } from '../monitors/monitors.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import type { ImportEntry, ImportFile } from './import-file.js';
import { type ExistingMonitor, type ImportMatch, matchImport } from './import-match.js';
import { importReport, type ValidatedEntry } from './import-report.js';
import { writeMatches } from './import-write.js';
import { mapInParts, type Turn } from './in-parts.js';
import type { TransferNeeds } from './needs.js';
import type { ImportReport } from './schema.js';

/** A reply lists at most this many errors. */
const ERRORS_MAX = 50;
/**
 * Monitors of the workspace with the names in a file. Each is opened and compared: 5,000 take about a third of a second. A
 * workspace can have 50,000 monitors of one name.
 */
const NAMESAKES_MAX = 5_000;

/**
 * Creates and updates the monitors of a file in one transaction, all or none. Monitors that are not in the file stay.
 * One invalid entry refuses a whole Picket file; of an Uptime Kuma backup, monitors that Picket does not support are
 * skipped. A dry run validates in the same way, returns every refusal, and writes nothing. Other work of the process runs at
 * each `turn`.
 */
export async function importMonitors(
  needs: TransferNeeds,
  tx: Transaction,
  actor: Actor,
  { file, isDryRun, turn }: { file: ImportFile; isDryRun: boolean; turn: Turn },
): Promise<ImportReport> {
  const existing = await namesakes(needs, tx, actor, file);
  const unknownChannels = await unknownChannelsOf(needs, tx, actor, file);
  const validated = await mapInParts(file.entries, turn, (entry) => validate(needs, actor, entry, unknownChannels));
  const isAllOrNothing = !isDryRun && file.format === 'picket';
  if (isAllOrNothing) refuseInvalidEntries(file, validated);
  const valid = validated.filter((entry) => entry.ok);
  const entries = valid.map((entry) => entry.settings);
  const opened = await mapInParts(
    existing,
    turn,
    (monitor): ExistingMonitor => ({ monitor, settings: needs.monitors.settings(monitor) }),
  );
  const matched = await matchImport(entries, opened, turn);
  const matches = await mapInParts(matched, turn, (match) => withinPlan(match, actor.plan));
  if (isAllOrNothing) refuseInvalidMatches(matches);
  await needs.monitors.reserve(tx, actor, matches.filter((match) => match.action === 'created').length);
  const portable = valid.map((entry) => entry.entry);
  const written = isDryRun ? null : await writeMatches(needs, tx, actor, { entries: portable, matches, turn });
  return importReport(file, { validated, matches, written }, turn);
}

/**
 * Returns the monitors of the workspace with the names in the file, the oldest first. Throws 402 when the plan does not allow
 * the other entries of a Picket file: validating two thousand takes long, and a plan that allows twenty refuses nearly all of
 * them. A backup of Uptime Kuma can have any number of monitors that are skipped.
 */
async function namesakes(needs: TransferNeeds, tx: Transaction, actor: Actor, file: ImportFile) {
  const names = file.entries.flatMap(({ entry }) => (entry === null ? [] : [entry.name.trim()]));
  const distinct = [...new Set(names)];
  const named = await needs.monitors.findByNames(tx, actor.workspaceId, distinct, NAMESAKES_MAX + 1);
  if (named.length > NAMESAKES_MAX) {
    throw invalidField(
      '',
      `names more than ${NAMESAKES_MAX} monitors of this workspace; rename them or split the file`,
    );
  }
  // An entry matches one monitor at most.
  if (file.format === 'picket') await needs.monitors.reserve(tx, actor, Math.max(0, names.length - named.length));
  return named;
}

/** The plan's limits apply only to changed settings of an existing monitor, so this check follows the matching. */
function withinPlan(match: ImportMatch, plan: PlanName): ImportMatch {
  if (match.action === 'refused' || match.action === 'unchanged') return match;
  const refusal = planRefusal(match.settings, match.action === 'updated' ? match.existing.settings : null, plan);
  if (refusal === null) return match;
  return { action: 'refused', code: 'plan_limit', errors: [refusal] };
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
      found.push({
        path: `/channels/${index}`,
        message: 'must be a channel of this workspace',
        code: 'unknown_channel',
      });
  });
  return found.length > 0
    ? { ok: false, name, errors: found, notes }
    : { ok: true, entry, settings: checked.settings, notes };
}

function refuseInvalidEntries(file: ImportFile, validated: readonly ValidatedEntry[]): void {
  const errors = validated.flatMap((entry, index) =>
    entry.ok ? [] : entry.errors.map((error) => ({ ...error, path: `/${file.field}/${index}${error.path}` })),
  );
  if (errors.length > 0) throw invalidFields(errors.slice(0, ERRORS_MAX), 'Nothing was imported: ');
}

/** Every entry is valid at this point, so the indexes of the matches are those of the file. */
function refuseInvalidMatches(matches: readonly ImportMatch[]): void {
  const index = matches.findIndex((match) => match.action === 'refused');
  const match = matches[index];
  if (match?.action !== 'refused') return;
  const errors = match.errors.map((error) => ({ ...error, path: `/monitors/${index}${error.path}` }));
  throw new AppError(match.code, `Nothing was imported: ${errors[0]?.path} ${errors[0]?.message}.`, { errors });
}
