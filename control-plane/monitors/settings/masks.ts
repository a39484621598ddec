import { queryValuesOf, withQueryValues } from '../../../kernel/urls/query-values.js';
import { shownUrl } from '../../../kernel/urls/shown-url.js';
import { userInfoOf, withUserInfo } from '../../../kernel/urls/user-info.js';
import type { FieldError } from '../../errors.js';
import type { HttpSettings, MonitorDocument } from '../documents.js';

/** Stands for a secret: in stored settings, in what callers without `monitors:write` see, and in what they send back. */
const MASK = '***';

/** The settings that can contain secrets: user name and password in the URL, header values, and the body. */
export type SecretFields = Pick<MonitorDocument, 'url' | 'http'>;

/** The secrets of a monitor. */
export interface SettingsSecrets {
  userInfo: string | null;
  /** By header name. */
  headers: Record<string, string>;
  body: string | null;
}

/** Returns the secrets in the settings; null when there are none. */
export function secretsOf({ url, http }: SecretFields): SettingsSecrets | null {
  const userInfo = userInfoOf(url);
  const { headers = {}, body = null } = http ?? {};
  return userInfo === null && body === null && Object.keys(headers).length === 0 ? null : { userInfo, headers, body };
}

/** Returns the settings as they are stored: with masks in place of their secrets. Masks stay masks. */
export function masked<Settings extends SecretFields>(settings: Settings): Settings {
  const { url, http } = settings;
  return { ...settings, url: withUserInfo(url, MASK), http: http === null ? null : maskedHttp(http) };
}

/** Returns the settings as those see them who may not change them. Values of the query are masked, too. */
export function shownSettings<Settings extends SecretFields>(settings: Settings): Settings {
  return { ...masked(settings), url: shownUrl(settings.url) };
}

function maskedHttp(http: HttpSettings): HttpSettings {
  const headers = Object.fromEntries(Object.keys(http.headers).map((name) => [name, MASK]));
  return { ...http, headers, body: http.body === null ? null : MASK };
}

const NOT_STORED = `must be the value itself: ${MASK} stands for a stored value, and none is stored`;

/**
 * Returns the settings with the secrets in place of their masks, and an error for each mask without a secret. Header
 * names are compared without case. A secret that is a mask itself is one that could not be opened. `storedUrl` has the values
 * of the query, which are not sealed.
 */
export function unmasked<Settings extends SecretFields>(
  settings: Settings,
  secrets: SettingsSecrets | null,
  storedUrl: string | null,
): { settings: Settings; errors: FieldError[] } {
  const { url, http } = settings;
  const errors: FieldError[] = [];
  const reveal = (value: string, secret: string | null | undefined, path: string): string => {
    if (value !== MASK) return value;
    if (secret !== null && secret !== undefined && secret !== MASK) return secret;
    errors.push({ path, message: NOT_STORED });
    return value;
  };
  const values = storedUrl === null ? new Map<string, string[]>() : queryValuesOf(storedUrl);
  const shown = withQueryValues(url, ({ name, value }) => reveal(value, values.get(name)?.shift(), '/url'));
  const userInfo = userInfoOf(url);
  const revealed = {
    ...settings,
    url: userInfo === null ? shown : withUserInfo(shown, reveal(userInfo, secrets?.userInfo, '/url')),
    http: http === null ? null : unmaskedHttp(http, secrets, reveal),
  };
  return { settings: revealed, errors };
}

function unmaskedHttp(
  http: HttpSettings,
  secrets: SettingsSecrets | null,
  reveal: (value: string, secret: string | null | undefined, path: string) => string,
): HttpSettings {
  const known = new Map(Object.entries(secrets?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const headers = Object.entries(http.headers).map(([name, value]) => [
    name,
    reveal(value, known.get(name.toLowerCase()), headerPath(name)),
  ]);
  return {
    ...http,
    headers: Object.fromEntries(headers),
    body: http.body === null ? null : reveal(http.body, secrets?.body, '/http/body'),
  };
}

/** Returns the JSON pointer of a header (RFC 6901). */
export function headerPath(name: string): string {
  return `/http/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
