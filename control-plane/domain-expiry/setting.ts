import { SettingError, type Settings } from '../../kernel/settings.js';

const NAME = 'PICKET_RDAP_BOOTSTRAP';
/** RFC 9224. */
const IANA_URL = 'https://data.iana.org/rdap/dns.json';

/** Reads where the list of RDAP servers is; null: `off`, no registry is asked. Throws SettingError. */
export function readBootstrapSetting(settings: Pick<Settings, 'text'>): string | null {
  const given = settings.text(NAME, IANA_URL);
  if (given === 'off') return null;
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) {
    throw new SettingError(NAME, 'must be `off`, or a URL that starts with https:// or http://');
  }
  return given;
}
