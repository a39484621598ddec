import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import { urlRefusal } from '../../../kernel/guard/url-refusal.js';
import { shownReceiver } from '../../../kernel/urls/shown-url.js';
import { invalidFields } from '../../errors.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { Channel } from '../channels/channel.js';
import type { ChannelDocument } from '../documents.js';

/** A stored configuration: the fields to show, the masks to show instead of secrets, and the sealed secrets. */
type StoredConfiguration = Pick<ChannelDocument, 'config' | 'masks' | 'sealed'>;

/** A complete configuration as its channel uses it, and the signing secret of a webhook. */
interface OpenConfiguration {
  config: Record<string, unknown>;
  signingSecret: string | null;
}

/** The path or query of a webhook often has a password, and whoever knows a topic of a public ntfy server reads along. */
const LIKE_SECRETS = ['url', 'topic'];

/** Throws 422 with every invalid field, including URLs that the target guard refuses. */
export function checkConfiguration(channel: Channel, config: Record<string, unknown>, guard: TargetGuard): void {
  const errors = channel.errors(config).map((error) => ({ ...error, path: `/config${error.path}` }));
  if (errors.length === 0) {
    for (const field of channel.urls) {
      const refusal = urlRefusal(String(config[field]), guard);
      if (refusal === null) continue;
      const code = refusal.code === 'blocked_target' ? 'private_address' : 'web_address';
      errors.push({ path: `/config/${field}`, message: refusal.message, code });
    }
  }
  if (errors.length > 0) throw invalidFields(errors);
}

/** Returns the configuration as it is stored, with its secrets sealed for the channel with this id. */
export function sealConfiguration(
  channel: Channel,
  open: OpenConfiguration,
  box: SecretBox,
  id: string,
): StoredConfiguration {
  const config: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  const masks: Record<string, string> = {};
  for (const [field, value] of Object.entries(open.config)) {
    if (!channel.secrets.includes(field)) config[field] = value;
    else if (value !== null) {
      secrets[field] = value;
      masks[field] = shownReceiver(String(value));
    }
  }
  const text = JSON.stringify({ config: secrets, signingSecret: open.signingSecret });
  return { config, masks, sealed: box.seal(text, { purpose: 'channel', id }) };
}

/** Returns the complete configuration. Throws if it was sealed with another key, or for another channel. */
export function openConfiguration(stored: StoredConfiguration & { _id: string }, box: SecretBox): OpenConfiguration {
  const parsed: unknown = JSON.parse(box.open(stored.sealed, { purpose: 'channel', id: stored._id }));
  const secrets: { config?: unknown; signingSecret?: unknown } = Object(parsed);
  const sealed: Record<string, unknown> = Object(secrets.config);
  return {
    config: { ...stored.config, ...sealed },
    signingSecret: typeof secrets.signingSecret === 'string' ? secrets.signingSecret : null,
  };
}

/** Returns the configuration as callers see it who may change the channel. */
export function shownConfiguration(stored: StoredConfiguration): Record<string, unknown> {
  return { ...stored.config, ...stored.masks };
}

/** Returns the configuration as all others see it. */
export function maskedConfiguration(stored: StoredConfiguration): Record<string, unknown> {
  return { ...stored.config, ...masksOf(stored) };
}

/** Returns the masks of the secrets, and of the fields that can be as good as a password. */
export function masksOf({ config, masks }: StoredConfiguration): Record<string, string> {
  const guessed = LIKE_SECRETS.filter((field) => typeof config[field] === 'string');
  return { ...masks, ...Object.fromEntries(guessed.map((field) => [field, shownReceiver(String(config[field]))])) };
}

/**
 * Returns the configuration after an update with the fields of `sent`. A field that equals its mask stays unchanged,
 * because a form sent it back as it was shown.
 */
export function mergedConfiguration(
  stored: StoredConfiguration,
  open: Record<string, unknown>,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const masks = masksOf(stored);
  const changed = Object.entries(sent).filter(([field, value]) => value !== masks[field]);
  return { ...open, ...Object.fromEntries(changed) };
}
