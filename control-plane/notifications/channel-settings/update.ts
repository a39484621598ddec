import { shownReceiver } from '../../../kernel/urls/shown-url.js';
import type { Actor } from '../../actor.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { Channel } from '../channels/channel.js';
import type { ChannelDocument } from '../documents.js';
import type { UpdateChannel } from '../schema.js';
import { addressesOf } from './addresses.js';
import {
  checkConfiguration,
  masksOf,
  mergedConfiguration,
  openConfiguration,
  sealConfiguration,
} from './configuration.js';
import { requireSecretsAgain } from './moved-origin.js';
import { type MutedNeeds, mutedBy, mutedInAudit, mutedWarnings, NOTHING_MUTED } from './muted.js';
import type { ChannelSettingsNeeds } from './needs.js';
import { notAskedWarnings } from './not-asked.js';
import type { ChannelChange } from './store.js';

const DISABLED_MANUALLY = 'disabled manually';

/** A channel after a change, and what the person who made it may not expect. */
interface UpdatedChannel {
  channel: ChannelDocument;
  warnings: string[];
}

/**
 * Updates the fields that were sent. Changed settings are one audit entry, new secrets another, without their values. Warns of
 * what notifies nobody while the channel is off, if the request disables it.
 */
export async function updateChannel(
  needs: ChannelSettingsNeeds & Pick<MutedNeeds, 'references'>,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null; input: UpdateChannel },
): Promise<UpdatedChannel> {
  const { id, input, ifVersion } = request;
  const before = await needs.store.findIn(tx, actor.workspaceId, id);
  if (before === null) throw notFound('channel');
  requireVersion(ifVersion, before.version);
  const nowMs = needs.clock.now();
  const change: ChannelChange = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.delay_minutes === undefined ? {} : { delay_minutes: input.delay_minutes }),
    ...(input.repeat_minutes === undefined ? {} : { repeat_minutes: input.repeat_minutes }),
    ...enabledChange(before, input.enabled, nowMs),
  };
  await confirmEarlier(needs, tx, before, change);
  const secrets = input.config === undefined ? NO_SECRETS : changeConfiguration(needs, before, input.config, change);
  const changes = { ...differences(needs.channels[before.type], before, change), ...removals(secrets.removed) };
  const mutedWith = async (channel: ChannelDocument) =>
    input.enabled === false ? mutedBy(needs, tx, actor, channel) : NOTHING_MUTED;
  const isChanged = Object.keys(changes).length > 0;
  if (!isChanged && secrets.rotated.length === 0) {
    await ask(needs, tx, actor, { before, after: before });
    return { channel: before, warnings: mutedWarnings(await mutedWith(before)) };
  }
  const after = await needs.store.update(tx, actor.workspaceId, id, before.version, change, nowMs);
  if (after === null) throw stale();
  const notAsked = await ask(needs, tx, actor, { before, after });
  const resource = { type: 'channel', id, name: after.name };
  const muted = await mutedWith(after);
  if (isChanged) {
    const metadata = { changes, ...(changes['enabled'] === undefined ? {} : mutedInAudit(muted)) };
    await needs.audit.record(tx, actor, { action: 'channel.updated', resource, metadata });
  }
  if (secrets.rotated.length > 0) {
    const metadata = { channel_type: after.type, fields: secrets.rotated };
    await needs.audit.record(tx, actor, { action: 'integration.credential_rotated', resource, metadata });
  }
  return { channel: after, warnings: [...mutedWarnings(muted), ...notAskedWarnings(notAsked)] };
}

/** Also asks who could not be asked before, such as when the owner had not confirmed their own address. */
async function ask(
  { recipients }: ChannelSettingsNeeds,
  tx: Transaction,
  actor: Actor,
  { before, after }: { before: ChannelDocument; after: ChannelDocument },
): Promise<readonly string[]> {
  const earlier = addressesOf(before);
  const addresses = addressesOf(after);
  const added = addresses.filter((address) => !earlier.includes(address));
  return recipients.ask(tx, actor, { added, kept: addresses.filter((address) => earlier.includes(address)) });
}

/** An earlier version has asked nobody: what it accepted counts as confirmed, and what is new is asked. */
async function confirmEarlier(
  { recipients }: ChannelSettingsNeeds,
  tx: Transaction,
  before: ChannelDocument,
  change: ChannelChange,
): Promise<void> {
  if (before.type !== 'email' || before.asks_recipients === true) return;
  await recipients.confirmEarlier(before.workspace_id, addressesOf(before), tx);
  change.asks_recipients = true;
}

/** Names of the secret fields that a request sets to a new value, and of those that it removes: `config.token`. */
interface SecretChanges {
  rotated: string[];
  removed: string[];
}

const NO_SECRETS: SecretChanges = { rotated: [], removed: [] };

function stale(): AppError {
  return new AppError('precondition_failed', 'The channel was changed since it was read.');
}

function enabledChange(before: ChannelDocument, enabled: boolean | undefined, nowMs: number): ChannelChange {
  if (enabled === undefined || enabled === (before.disabled_at_ms === null)) return {};
  return enabled
    ? { disabled_at_ms: null, disabled_reason: null, paused_until_ms: 0 }
    : { disabled_at_ms: nowMs, disabled_reason: DISABLED_MANUALLY };
}

/** Adds the sealed configuration to the change. Returns the changed secrets. */
function changeConfiguration(
  needs: ChannelSettingsNeeds,
  before: ChannelDocument,
  sent: Record<string, unknown>,
  change: ChannelChange,
): SecretChanges {
  const kind = needs.channels[before.type];
  const open = openConfiguration(before, needs.box);
  const config = mergedConfiguration(before, open.config, sent);
  checkConfiguration(kind, config, needs.guard);
  // A secret that equals its mask was not sent: a form sent back what it was shown.
  const masks = masksOf(before);
  const sentFields = Object.keys(sent).filter((field) => sent[field] !== masks[field]);
  requireSecretsAgain(kind, { before: open.config, after: config, sent: sentFields });
  if (JSON.stringify(config) === JSON.stringify(open.config)) return NO_SECRETS;
  change.links_revoked_until_ms = needs.clock.now();
  Object.assign(change, sealConfiguration(kind, { config, signingSecret: open.signingSecret }, needs.box, before._id));
  const changed = kind.secrets.filter((field) => (config[field] ?? null) !== (open.config[field] ?? null));
  const isSet = (field: string) => (config[field] ?? null) !== null;
  const pathOf = (field: string) => `config.${field}`;
  return {
    rotated: changed.filter((field) => isSet(field)).map(pathOf),
    removed: changed.filter((field) => !isSet(field)).map(pathOf),
  };
}

interface Difference {
  from: unknown;
  to: unknown;
}

/**
 * Returns the changes for the audit log, which more people read than the channel. Of URLs it has only the origin and the
 * last characters, because path and query of a webhook often contain its password.
 */
function differences(
  { urls }: Pick<Channel, 'urls'>,
  before: ChannelDocument,
  change: ChannelChange,
): Record<string, Difference> {
  const changes: Record<string, Difference> = {};
  const add = (field: string, from: unknown, to: unknown) => {
    if (JSON.stringify(from) !== JSON.stringify(to)) changes[field] = { from, to };
  };
  if (change.name !== undefined) add('name', before.name, change.name);
  if (change.delay_minutes !== undefined) add('delay_minutes', before.delay_minutes, change.delay_minutes);
  if (change.repeat_minutes !== undefined) add('repeat_minutes', before.repeat_minutes, change.repeat_minutes);
  if (change.disabled_at_ms !== undefined)
    add('enabled', before.disabled_at_ms === null, change.disabled_at_ms === null);
  for (const field of new Set([...Object.keys(before.config), ...Object.keys(change.config ?? before.config)])) {
    const [from, to] = [before.config[field] ?? null, (change.config ?? before.config)[field] ?? null];
    add(`config.${field}`, from, to);
    const known = changes[`config.${field}`];
    if (known !== undefined && urls.includes(field))
      changes[`config.${field}`] = { from: masked(from), to: masked(to) };
  }
  return changes;
}

const masked = (url: unknown): string | null => (url === null ? null : shownReceiver(String(url)));

function removals(fields: readonly string[]): Record<string, Difference> {
  return Object.fromEntries(fields.map((field) => [field, { from: '[secret]', to: null }]));
}
