import { type Actor, hasScope } from '../actor.js';
import { AppError, invalidField, invalidFields } from '../errors.js';
import { boundedErrors } from '../http/input/error-limits.js';
import type { MonitorDocument } from '../monitors/documents.js';
import {
  type CreateMonitor,
  type MonitorDecision,
  type MonitorOperation,
  type MonitorSelection,
  type MonitorSettings,
  planRefusal,
  type ShownChanges,
  settingsChanges,
  unmasked,
} from '../monitors/monitors.js';
import { canonicalJson } from '../storage/canonical-json.js';
import type { Transaction } from '../storage/transaction.js';
import { count } from '../wording.js';
import type { KeptImages } from './documents.js';
import { fingerprintOf } from './fingerprint.js';
import { NO_IMAGES, withImage } from './kept.js';
import type { BulkNeeds } from './needs.js';
import type { BulkOrder } from './request.js';
import { BULK_GROUPS_MAX, BULK_MONITORS_MAX, type BulkGroup, type BulkRow } from './schema.js';

/** A refusal of one monitor. `place` is its id, or its index among new monitors. */
export interface PlannedRefusal {
  place: string;
  name: string;
  decision: Extract<MonitorDecision, { kind: 'refused' }>;
}

/** What a plan remembers of a monitor: all settings of 10,000 monitors would be too much. */
type SelectedMonitor = Pick<MonitorDocument, '_id' | 'version' | 'name'>;

/** What a bulk change would do. Nothing is written yet. */
export interface BulkPlan {
  fingerprint: string;
  /** What the fingerprint is of beside the monitors. */
  operation: unknown;
  /** All selected monitors, the oldest first; none for new ones. */
  selected: SelectedMonitor[];
  notFound: number;
  unchanged: number;
  refused: PlannedRefusal[];
  /** `monitor` is null for a new one. */
  changed: { monitor: SelectedMonitor | null; name: string; changes: ShownChanges }[];
  /** Settings of new monitors, all of them valid unless `refused` has some. */
  added: MonitorSettings[];
  groups: BulkGroup[];
  /** What the undo of the change needs. */
  images: KeptImages;
}

/** Decisions between which other work of the process gets a turn: they take a few milliseconds. */
const DECISIONS_PER_TURN = 50;
const GROUPED_PER_TURN = 1_000;

/**
 * Returns what the order means now. Throws 402 when the plan of the workspace does not allow the new monitors, and the
 * reason of `signal` soon after that is aborted.
 */
export async function planOf(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  order: BulkOrder,
  signal: AbortSignal,
): Promise<BulkPlan> {
  if (order.type === 'add') return planNew(needs, tx, actor, order.monitors, signal);
  return planChange(needs, tx, actor, order, signal);
}

async function planChange(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  { operation, selection }: { operation: MonitorOperation; selection: MonitorSelection },
  signal: AbortSignal,
): Promise<BulkPlan> {
  if (operation.type === 'set') {
    const paths = (operation.fields.channels ?? []).map((id, index) => [`/set/channels/${index}`, id] as const);
    await refuseUnknownChannels(needs, tx, actor, paths);
  }
  const plan = emptyPlan(operation);
  for await (const monitor of needs.monitors.select(actor.workspaceId, selection, BULK_MONITORS_MAX + 1, tx)) {
    if (plan.selected.length % DECISIONS_PER_TURN === 0) await nextTurn(needs, signal);
    const { _id, version, name } = monitor;
    const head = { _id, version, name };
    plan.selected.push(head);
    const decision = needs.monitors.decide(actor, monitor, operation);
    if (decision.kind === 'unchanged') plan.unchanged += 1;
    else if (decision.kind === 'refused') plan.refused.push({ place: _id, name, decision });
    else {
      plan.changed.push({ monitor: head, name, changes: decision.changes });
      plan.images = withImage(plan.images, decision.image());
    }
  }
  const selected = plan.selected.length;
  if (selected > BULK_MONITORS_MAX) {
    const most = BULK_MONITORS_MAX.toLocaleString('en-US');
    throw invalidField('/filter', `finds more than ${most} monitors; narrow it`, 'too_many', {
      max: BULK_MONITORS_MAX,
    });
  }
  plan.notFound = 'ids' in selection ? selection.ids.length - selected : 0;
  plan.fingerprint = fingerprintOf(operation, plan.selected);
  plan.groups = await groupsOf(needs, signal, plan.changed);
  return plan;
}

async function planNew(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  monitors: readonly CreateMonitor[],
  signal: AbortSignal,
): Promise<BulkPlan> {
  // First, because validating two thousand monitors takes long, and a plan that allows twenty refuses nearly all of them.
  await needs.monitors.reserve(tx, actor, monitors.length);
  const channels = monitors.flatMap((monitor, at) =>
    (monitor.channels ?? []).map((id, index) => [`/monitors/${at}/channels/${index}`, id] as const),
  );
  await refuseUnknownChannels(needs, tx, actor, channels);
  const plan = emptyPlan({ type: 'add', monitors });
  const usualOf = usualSettings(needs, actor);
  for (const [index, input] of monitors.entries()) {
    if (index % DECISIONS_PER_TURN === 0) await nextTurn(needs, signal);
    const { settings, errors: shape } = needs.monitors.newSettings(actor, input);
    const errors = [...shape, ...unmasked(settings, null, null).errors];
    const refusal = planRefusal(settings, null, actor.plan);
    const { name } = settings;
    const place = String(index);
    if (errors.length > 0) {
      plan.refused.push({ place, name, decision: { kind: 'refused', code: 'validation_failed', errors } });
    } else if (refusal !== null) {
      plan.refused.push({ place, name, decision: { kind: 'refused', code: 'plan_limit', errors: [refusal] } });
    } else {
      plan.added.push(settings);
      plan.changed.push({ monitor: null, name, changes: creation(settings, usualOf(input)) });
      plan.images = withImage(plan.images, { of: 'created' });
    }
  }
  const shown = plan.changed.map((one) => ({ ...one, changes: omit(one.changes, ['name', 'url']) }));
  plan.groups = await groupsOf(needs, signal, shown);
  return plan;
}

/** Lets other work run. Throws when nobody waits for the plan any more. */
async function nextTurn({ yieldToEventLoop }: BulkNeeds, signal: AbortSignal): Promise<void> {
  await yieldToEventLoop();
  signal.throwIfAborted();
}

function emptyPlan(operation: unknown): BulkPlan {
  return {
    ...{ operation, selected: [], fingerprint: fingerprintOf(operation, []) },
    ...{ notFound: 0, unchanged: 0, refused: [], changed: [], added: [], groups: [], images: NO_IMAGES },
  };
}

async function refuseUnknownChannels(
  { monitors }: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  channels: readonly (readonly [path: string, id: string])[],
): Promise<void> {
  if (channels.length === 0) return;
  const ids = [...new Set(channels.map(([, id]) => id))];
  const unknown = new Set(await monitors.unknownChannels(tx, actor.workspaceId, ids));
  if (unknown.size === 0) return;
  const message = 'must be a channel of this workspace';
  const errors = channels.flatMap(([path, id]) =>
    unknown.has(id) ? [{ path, message, code: 'unknown_channel' as const }] : [],
  );
  throw invalidFields(boundedErrors(errors));
}

/** Returns what settings a monitor has of which only the target and the locations are said. */
function usualSettings({ monitors }: BulkNeeds, actor: Actor): (input: CreateMonitor) => MonitorSettings {
  const known = new Map<string, MonitorSettings>();
  return ({ name, url, type, locations }) => {
    const key = JSON.stringify([type, locations]);
    const usual = known.get(key);
    if (usual !== undefined) return usual;
    const sent = { name, url, type, ...(locations === undefined ? {} : { locations }) };
    const { settings } = monitors.newSettings(actor, sent);
    known.set(key, settings);
    return settings;
  };
}

/** Returns the settings of a new monitor that differ from the `usual` ones, and those that say what it is, without secrets. */
function creation(settings: MonitorSettings, usual: MonitorSettings): ShownChanges {
  const nothing: MonitorSettings = { ...usual, name: '', url: '', locations: [], tags: [], channels: null };
  const shown = settingsChanges(nothing, settings);
  const always = { type: settings.type, interval_seconds: settings.interval_seconds };
  return {
    ...Object.fromEntries(Object.entries(shown).map(([field, { to }]) => [field, { from: null, to }])),
    ...Object.fromEntries(Object.entries(always).map(([field, to]) => [field, { from: null, to }])),
  };
}

function omit(changes: ShownChanges, fields: readonly string[]): ShownChanges {
  return Object.fromEntries(Object.entries(changes).filter(([field]) => !fields.includes(field)));
}

/** Returns the most frequent changes, with the number of monitors of each. */
async function groupsOf(
  needs: BulkNeeds,
  signal: AbortSignal,
  changed: readonly { changes: ShownChanges }[],
): Promise<BulkGroup[]> {
  const groups = new Map<string, BulkGroup>();
  for (const [index, { changes }] of changed.entries()) {
    if (index % GROUPED_PER_TURN === 0) await nextTurn(needs, signal);
    for (const [field, { from, to }] of Object.entries(changes)) {
      const key = canonicalJson([field, from, to]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { field, from, to, monitors: 1 });
      else group.monitors += 1;
    }
  }
  return [...groups.values()].sort((a, b) => b.monitors - a.monitors).slice(0, BULK_GROUPS_MAX);
}

/** Returns a page of what the plan does with each monitor, the refused ones first. */
export function rowsOf({ refused, changed }: BulkPlan, offset: number, limit: number): BulkRow[] {
  const isId = (place: string) => place.startsWith('mon_');
  const first = refused.slice(offset, offset + limit).map(
    ({ place, name, decision }): BulkRow => ({
      ...{ id: isId(place) ? place : null, name, result: 'refused', changes: {} },
      reasons: decision.errors.slice(0, REASONS_MAX).map(({ path, message }) => `${path} ${message}`.trim()),
      errors: boundedErrors(decision.errors.slice(0, REASONS_MAX)),
    }),
  );
  const start = Math.max(0, offset - refused.length);
  const rest = changed.slice(start, start + limit - first.length).map(
    ({ monitor, name, changes }): BulkRow => ({
      ...{ id: monitor?._id ?? null, name, result: 'changed', changes, reasons: [], errors: [] },
    }),
  );
  return [...first, ...rest];
}

const REASONS_MAX = 5;
const ERRORS_MAX = 50;

/** Throws 422, or 402, when the plan refuses the change of a monitor. Names only monitors that the actor may read. */
export function refuseRefused(actor: Actor, { refused, selected }: BulkPlan): void {
  const [first] = refused;
  if (first === undefined) return;
  if (selected.length > 0 && !hasScope(actor, 'monitors:read')) {
    const detail = `Nothing was changed: ${count(refused.length, 'monitor')} would have settings that are not allowed.`;
    throw new AppError(first.decision.code, detail);
  }
  const of = selected.length === 0 ? 'monitors' : 'ids';
  const errors = refused.flatMap(({ place, decision }) =>
    decision.errors.map((error) => ({ ...error, path: `/${of}/${place}${error.path}` })),
  );
  const others = refused.length > 1 ? `, and ${refused.length - 1} more` : '';
  const detail = `Nothing was changed: ${first.name}: ${errors[0]?.message}${others}.`;
  const { code } = first.decision;
  throw new AppError(code, detail, { errors: errors.slice(0, ERRORS_MAX) });
}
