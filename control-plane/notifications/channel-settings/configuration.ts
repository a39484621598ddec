import { Value } from 'typebox/value';
import { urlRefusal } from '../../../kernel/guarded-fetch.js';
import type { TargetGuard } from '../../../kernel/target-guard.js';
import { AppError, type FieldError } from '../../errors.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { Channel } from '../channels/channel.js';
import type { ChannelDocument } from '../documents.js';

/** How a configuration is stored: what may be shown, what is shown in a secret's place, and the secrets sealed. */
type StoredConfiguration = Pick<ChannelDocument, 'config' | 'masks' | 'sealed'>;

/** A whole configuration as its channel uses it, and a webhook's signing secret. */
interface OpenConfiguration {
  config: Record<string, unknown>;
  signingSecret: string | null;
}

const MASK = '…';
const SHOWN_CHARS = 4;

/** Throws 422 naming each member that is wrong, or that points where Picket must not go. */
export function checkConfiguration(channel: Channel, config: Record<string, unknown>, guard: TargetGuard): void {
  const errors = shapeErrors(channel, config);
  if (errors.length === 0) {
    for (const member of channel.urls) {
      const refusal = urlRefusal(String(config[member]), guard);
      if (refusal !== null) errors.push({ path: `/config/${member}`, message: refusal.message });
    }
  }
  const [first] = errors;
  if (first === undefined) return;
  throw new AppError('validation_failed', `${first.path} ${first.message}.`, { errors });
}

function shapeErrors(channel: Channel, config: Record<string, unknown>): FieldError[] {
  const found = Value.Errors(channel.config, config);
  const errors = found.flatMap((error): FieldError[] => {
    const params: Record<string, unknown> = { ...error.params };
    const named = params['requiredProperties'] ?? params['additionalProperties'];
    const message = error.keyword === 'required' ? 'is missing' : 'is not a known member';
    if (Array.isArray(named)) return named.map((member) => ({ path: `/config/${String(member)}`, message }));
    // The same finding as `additionalProperties`, once more.
    if (error.keyword === 'boolean') return [];
    const shown = error.keyword === 'pattern' ? 'does not have the right form' : error.message;
    return [{ path: `/config${error.instancePath}`, message: shown }];
  });
  return errors.filter((error, index) => errors.findIndex((other) => other.path === error.path) === index);
}

/** Parts a configuration into what may be shown and what is sealed. */
export function sealConfiguration(channel: Channel, open: OpenConfiguration, box: SecretBox): StoredConfiguration {
  const config: Record<string, unknown> = {};
  const secrets: Record<string, unknown> = {};
  const masks: Record<string, string> = {};
  for (const [member, value] of Object.entries(open.config)) {
    if (!channel.secrets.includes(member)) config[member] = value;
    else if (value !== null) {
      secrets[member] = value;
      masks[member] = maskOf(String(value));
    }
  }
  return { config, masks, sealed: box.seal(JSON.stringify({ config: secrets, signingSecret: open.signingSecret })) };
}

/** The whole configuration again. Throws when it was sealed under another key. */
export function openConfiguration(stored: StoredConfiguration, box: SecretBox): OpenConfiguration {
  const parsed: unknown = JSON.parse(box.open(stored.sealed));
  const secrets: { config?: unknown; signingSecret?: unknown } = Object(parsed);
  const sealed: Record<string, unknown> = Object(secrets.config);
  return {
    config: { ...stored.config, ...sealed },
    signingSecret: typeof secrets.signingSecret === 'string' ? secrets.signingSecret : null,
  };
}

/** What the API shows. */
export function shownConfiguration(stored: StoredConfiguration): Record<string, unknown> {
  return { ...stored.config, ...stored.masks };
}

/**
 * The configuration after a change: members that were sent replace their own. A secret sent as it is shown is one
 * that somebody's form sent back untouched, so it stays.
 */
export function mergedConfiguration(
  stored: StoredConfiguration,
  open: Record<string, unknown>,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const changed = Object.entries(sent).filter(([member, value]) => value !== stored.masks[member]);
  return { ...open, ...Object.fromEntries(changed) };
}

/** Of a URL its host and last characters, of anything else the last characters: enough to tell two apart. */
function maskOf(secret: string): string {
  const tail = secret.slice(-SHOWN_CHARS);
  if (!/^https?:\/\//i.test(secret)) return `${MASK}${tail}`;
  const { protocol, host } = new URL(secret);
  return `${protocol}//${host}/${MASK}${tail}`;
}
