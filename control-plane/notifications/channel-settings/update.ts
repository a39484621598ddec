import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelDocument } from '../documents.js';
import type { UpdateChannel } from '../schema.js';
import { checkConfiguration, mergedConfiguration, openConfiguration, sealConfiguration } from './configuration.js';
import type { ChannelVerbDeps } from './create.js';
import type { ChannelChange } from './store.js';

const DISABLED_BY_HAND = 'disabled by hand';

/** Changes what was named. Secrets that were not sent stay; the audit entry names a changed one without its value. */
export async function updateChannel(
  deps: ChannelVerbDeps,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; input: UpdateChannel },
): Promise<ChannelDocument> {
  const { id, input, ifVersion } = request;
  const before = await deps.store.findIn(tx, actor.workspaceId, id);
  if (before === null) throw notFound('channel');
  requireVersion(ifVersion, before.version);
  const nowMs = deps.clock.now();
  const change: ChannelChange = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.delay_minutes === undefined ? {} : { delay_minutes: input.delay_minutes }),
    ...(input.repeat_minutes === undefined ? {} : { repeat_minutes: input.repeat_minutes }),
    ...enabledChange(before, input.enabled, nowMs),
  };
  const secrets = input.config === undefined ? [] : changeConfiguration(deps, before, input.config, change);
  const changes = { ...differences(before, change), ...secretChanges(secrets) };
  if (Object.keys(changes).length === 0) return before;
  const after = await deps.store.update(tx, actor.workspaceId, id, before.version, change, nowMs);
  if (after === null) throw stale();
  await deps.audit.record(tx, actor, {
    action: 'channel.updated',
    resource: { type: 'channel', id, name: after.name },
    metadata: { changes },
  });
  return after;
}

function stale(): AppError {
  return new AppError('precondition_failed', 'The channel was changed since it was read.');
}

function enabledChange(before: ChannelDocument, enabled: boolean | undefined, nowMs: number): ChannelChange {
  if (enabled === undefined || enabled === (before.disabled_at_ms === null)) return {};
  return enabled
    ? { disabled_at_ms: null, disabled_reason: null, paused_until_ms: 0 }
    : { disabled_at_ms: nowMs, disabled_reason: DISABLED_BY_HAND };
}

/** Adds the sealed configuration to the change; resolves the names of the secrets that are other ones now. */
function changeConfiguration(
  deps: ChannelVerbDeps,
  before: ChannelDocument,
  sent: Record<string, unknown>,
  change: ChannelChange,
): string[] {
  const kind = deps.channels[before.type];
  const open = openConfiguration(before, deps.box);
  const config = mergedConfiguration(before, open.config, sent);
  checkConfiguration(kind, config, deps.guard);
  if (JSON.stringify(config) === JSON.stringify(open.config)) return [];
  Object.assign(change, sealConfiguration(kind, { config, signingSecret: open.signingSecret }, deps.box));
  return kind.secrets.filter((member) => (config[member] ?? null) !== (open.config[member] ?? null));
}

interface Difference {
  from: unknown;
  to: unknown;
}

function differences(before: ChannelDocument, change: ChannelChange): Record<string, Difference> {
  const changes: Record<string, Difference> = {};
  const note = (field: string, from: unknown, to: unknown) => {
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from, to };
  };
  if (change.name !== undefined) note('name', before.name, change.name);
  if (change.delay_minutes !== undefined) note('delay_minutes', before.delay_minutes, change.delay_minutes);
  if (change.repeat_minutes !== undefined) note('repeat_minutes', before.repeat_minutes, change.repeat_minutes);
  if (change.disabled_at_ms !== undefined)
    note('enabled', before.disabled_at_ms === null, change.disabled_at_ms === null);
  for (const member of new Set([...Object.keys(before.config), ...Object.keys(change.config ?? before.config)])) {
    note(`config.${member}`, before.config[member] ?? null, (change.config ?? before.config)[member] ?? null);
  }
  return changes;
}

function secretChanges(members: readonly string[]): Record<string, Difference> {
  return Object.fromEntries(members.map((member) => [`config.${member}`, { from: '[secret]', to: '[secret]' }]));
}
