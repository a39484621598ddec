import { SettingError, type Settings } from '../../../kernel/settings.js';
import { ROLES, type Role } from '../../roles.js';

const VARIABLE = 'PICKET_AUTH_HEADER';

/** Headers that mean something else, or that every client sends. */
const OTHER_MEANING: ReadonlySet<string> = new Set([
  ...['authorization', 'cookie', 'host', 'origin', 'referer', 'user-agent', 'accept', 'content-type', 'content-length'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'connection', 'transfer-encoding'],
  ...['if-match', 'idempotency-key', 'x-request-id', 'sec-fetch-site'],
]);

/** The header in which an authenticating proxy names the person. */
export interface TrustedHeader {
  /** In lower case. */
  name: string;
  /** The role of people whom Picket has not seen before. */
  role: Role;
}

/** Returns null without `PICKET_AUTH_HEADER`. Throws SettingError, also when no proxy is trusted to send the header. */
export function readTrustedHeader(settings: Settings): TrustedHeader | null {
  const name = settings.optionalText(VARIABLE)?.toLowerCase() ?? null;
  const role = settings.oneOf('PICKET_AUTH_HEADER_ROLE', ROLES, 'viewer');
  if (name === null) return null;
  if (!/^[a-z0-9-]{1,64}$/.test(name))
    throw new SettingError(VARIABLE, 'must be the name of a header, such as X-Forwarded-User');
  if (OTHER_MEANING.has(name)) throw new SettingError(VARIABLE, `must not be ${name}, which has another meaning`);
  if (settings.optionalText('PICKET_TRUSTED_PROXIES') === null) {
    throw new SettingError(VARIABLE, 'needs PICKET_TRUSTED_PROXIES: without it, no proxy is trusted to name people');
  }
  return { name, role };
}
