import { duration } from '../../duration.js';
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

export function apiKeyExpiringMail(input: ApiKeyExpiring): OutgoingMail {
  const { to, lastFour, keyExpiresAtMs, lastUsedAtMs, link } = input;
  const name = foreignText(input.name);
  // Whole hours, so that the sentence does not contain the minutes since the reminder was due.
  const left = duration(Math.max(1, Math.round((keyExpiresAtMs - input.nowMs) / HOUR_MS)) * HOUR_MS);
  return {
    ...{ to, kind: 'api_key_expiring', expiresAtMs: keyExpiresAtMs },
    subject: `API key ${name} expires in ${left}`,
    heading: `API key ${name} expires in ${left}`,
    paragraphs: [
      'When the key has expired, every request with it is refused. If something still uses the key, rotate it before then: the previous key keeps working for a while after you have rotated it.',
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
