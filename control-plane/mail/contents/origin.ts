import { foreignText } from '../foreign-text.js';
import type { MailFact } from '../mailer.js';
import { minuteUtc } from './when.js';

/** From where somebody did something. */
export interface Origin {
  atMs: number;
  /** A network address; null if it is unknown. */
  ip: string | null;
  /** The browser and system, or the user agent as the client sent it; null if it sent none. */
  device: string | null;
}

/** Returns the rows of a mail that say when and from where something was done. */
export function originFacts({ atMs, ip, device }: Origin): MailFact[] {
  return [
    { label: 'Time', value: minuteUtc(atMs) },
    { label: 'Device', value: device === null ? 'unknown' : foreignText(device) },
    { label: 'IP address', value: ip ?? 'unknown' },
  ];
}
