import { count } from '../../wording.js';
import { foreignText } from '../foreign-text.js';
import type { OutgoingMail } from '../mailer.js';
import { minuteUtc } from './when.js';

interface ApiKeyExpiring {
  to: string;
  /** The name of the key and its last four characters. */
  name: string;
  lastFour: string;
  workspace: string;
  /** When the key stops working. */
  keyExpiresAtMs: number;
  /** When the key was last used; null if never. */
  lastUsedAtMs: number | null;
  nowMs: number;
  /** The page with the API keys of the workspace. */
  link: string;
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

export function apiKeyExpiringMail(input: ApiKeyExpiring): OutgoingMail {
  const { to, lastFour, keyExpiresAtMs, lastUsedAtMs, link } = input;
  const name = foreignText(input.name);
  const left = timeLeft(keyExpiresAtMs - input.nowMs);
  return {
    ...{ to, kind: 'api_key_expiring', expiresAtMs: keyExpiresAtMs },
    subject: `API key ${name} expires in ${left}`,
    heading: `API key ${name} expires in ${left}`,
    paragraphs: [
      'Picket refuses requests with an expired key. If something still uses this key, rotate it before then. For a while after the rotation, both the previous key and the new one work.',
    ],
    facts: [
      { label: 'Key', value: `${name} (…${lastFour})` },
      { label: 'Workspace', value: foreignText(input.workspace) },
      { label: 'Expires', value: minuteUtc(keyExpiresAtMs) },
      { label: 'Last used', value: lastUsedAtMs === null ? 'never' : minuteUtc(lastUsedAtMs) },
    ],
    action: { label: 'Open API keys', url: link },
    why: 'You get this e-mail because you created this API key.',
  };
}

/** `7 days`, `2 days`, `30 hours`, `1 hour`. */
function timeLeft(leftMs: number): string {
  const hours = Math.max(1, Math.round(leftMs / HOUR_MS));
  return hours < 2 * DAY_HOURS ? count(hours, 'hour') : count(Math.round(hours / DAY_HOURS), 'day');
}
