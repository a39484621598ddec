import type { Actor } from '../../actor.js';
import type { Client } from '../../http/client/client.js';
import type { Origin } from '../../mail/contents/origin.js';
import { deviceOf } from './device.js';

/** Returns from where somebody does something now, for the mail about it. */
export function originOf({ ip, userAgent }: Pick<Client | Actor, 'ip' | 'userAgent'>, nowMs: number): Origin {
  return { atMs: nowMs, ip, device: deviceOf(userAgent) };
}
