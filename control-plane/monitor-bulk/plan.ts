import type { Actor } from '../actor.js';
import { AppError, invalidField } from '../errors.js';
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
import { fingerprintOf } from './fingerprint.js';
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
}

/** Decisions between which other work of the process gets a turn. */
const DECISIONS_PER_TURN = 100;

/** Returns what the order means now. Throws 402 when the plan of the workspace does not allow the new monitors. */
export async function planOf(needs: BulkNeeds, tx: Transaction, actor: Actor, order: BulkOrder): Promise<BulkPlan> {
  if (order.type === 'add') return planNew(needs, tx, actor, order.monitors);
  return planChange(needs, tx, actor, order);
}

async function planChange(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  { operation, selection }: { operation: MonitorOperation; selection: MonitorSelection },
): Promise<BulkPlan> {
  if (operation.type === 'set') await refuseUnknownChannels(needs, tx, actor, operation.fields.channels ?? []);
  const plan = emptyPlan(operation);
  for await (const monitor of needs.monitors.select(actor.workspaceId, selection, BULK_MONITORS_MAX + 1, tx)) {
    if (plan.selected.length % DECISIONS_PER_TURN === 0) await needs.yieldToEventLoop();
    const { _id, version, name } = monitor;
    const head = { _id, version, name };
    plan.selected.push(head);
    const decision = needs.monitors.decide(actor, monitor, operation);
    if (decision.kind === 'unchanged') plan.unchanged += 1;
    else if (decision.kind === 'refused') plan.refused.push({ place: _id, name, decision });
    else plan.changed.push({ monitor: head, name, changes: decision.changes });
  }
  const selected = plan.selected.length;
  if (selected > BULK_MONITORS_MAX) {
    throw invalidField('/filter', `finds more than ${BULK_MONITORS_MAX.toLocaleString('en-US')} monitors; narrow it`);
  }
  plan.notFound = 'ids' in selection ? selection.ids.length - selected : 0;
  plan.fingerprint = fingerprintOf(operation, plan.selected);
  plan.groups = groupsOf(plan.changed);
  return plan;
}

async function planNew(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  monitors: readonly CreateMonitor[],
): Promise<BulkPlan> {
  const channels = monitors.flatMap((monitor) => monitor.channels ?? []);
  await refuseUnknownChannels(needs, tx, actor, [...new Set(channels)]);
  const plan = emptyPlan({ type: 'add', monitors });
  for (const [index, input] of monitors.entries()) {
    if (index % DECISIONS_PER_TURN === 0) await needs.yieldToEventLoop();
    const { settings, errors: shape } = needs.monitors.newSettings(actor, input);
    const errors = [...shape, ...unmasked(settings, null).errors];
    const refusal = planRefusal(settings, null, actor.plan);
    const { name } = settings;
    const place = String(index);
    if (errors.length > 0) {
      plan.refused.push({ place, name, decision: { kind: 'refused', code: 'validation_failed', errors } });
    } else if (refusal !== null) {
      const decision = { kind: 'refused', code: 'plan_limit', errors: [{ path: '', message: refusal }] } as const;
      plan.refused.push({ place, name, decision });
    } else {
      plan.added.push(settings);
      plan.changed.push({ monitor: null, name, changes: creation(settings) });
    }
  }
  await needs.monitors.reserve(tx, actor, plan.added.length);
  plan.groups = groupsOf(plan.changed.map((one) => ({ ...one, changes: omit(one.changes, ['name', 'url']) })));
  return plan;
}

function emptyPlan(operation: unknown): BulkPlan {
  return {
    ...{ operation, selected: [], fingerprint: fingerprintOf(operation, []) },
    ...{ notFound: 0, unchanged: 0, refused: [], changed: [], added: [], groups: [] },
  };
}

async function refuseUnknownChannels(
  { monitors }: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  channels: readonly string[],
): Promise<void> {
  if (channels.length === 0) return;
  const [unknown] = await monitors.unknownChannels(tx, actor.workspaceId, channels);
  if (unknown !== undefined) throw invalidField('/channels', `must be channels of this workspace; ${unknown} is not`);
}

/** Returns the settings of a new monitor that differ from a monitor without any, without secrets. */
function creation(settings: MonitorSettings): ShownChanges {
  const nothing: MonitorSettings = { ...settings, name: '', url: '', locations: [], tags: [], channels: null };
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
function groupsOf(changed: readonly { changes: ShownChanges }[]): BulkGroup[] {
  const groups = new Map<string, BulkGroup>();
  for (const { changes } of changed) {
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
    }),
  );
  const start = Math.max(0, offset - refused.length);
  const rest = changed.slice(start, start + limit - first.length).map(
    ({ monitor, name, changes }): BulkRow => ({
      ...{ id: monitor?._id ?? null, name, result: 'changed', changes, reasons: [] },
    }),
  );
  return [...first, ...rest];
}

const REASONS_MAX = 5;
const ERRORS_MAX = 50;

/** Throws 422, or 402, when the plan refuses the change of a monitor. */
export function refuseRefused({ refused, selected }: BulkPlan): void {
  const [first] = refused;
  if (first === undefined) return;
  const of = selected.length === 0 ? 'monitors' : 'ids';
  const errors = refused.flatMap(({ place, decision }) =>
    decision.errors.map(({ path, message }) => ({ path: `/${of}/${place}${path}`, message })),
  );
  const others = refused.length > 1 ? `, and ${refused.length - 1} more` : '';
  const detail = `Nothing was changed: ${first.name}: ${errors[0]?.message}${others}.`;
  const { code } = first.decision;
  throw new AppError(code, detail, code === 'plan_limit' ? {} : { errors: errors.slice(0, ERRORS_MAX) });
}
