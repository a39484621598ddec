import { count, shortName, utc } from '../../wording.js';
import type { Registration } from '../documents.js';
import { isStale } from './stage.js';

const DAY_MS = 86_400_000;

/** What the messages say of a domain. */
type Named = { name: string } & Pick<Registration, 'expires_at_ms' | 'phase' | 'registrar' | 'checked_at_ms'>;

/** The messages of incidents of domains. */
export const domainMessages = {
  expiring(domain: Named, nowMs: number): string {
    const { name, expires_at_ms, phase, registrar, checked_at_ms } = domain;
    const atMs = expires_at_ms ?? nowMs;
    const days = Math.floor((atMs - nowMs) / DAY_MS);
    const at = registrar === null ? '' : ` at ${shortName(registrar)}`;
    const asOf = checked_at_ms !== null && isStale(domain, nowMs) ? `, as of ${utc(checked_at_ms)}` : '';
    if (phase === 'deleting') return `The registration of ${shortName(name)} has ended${asOf}. Restore it${at} now.`;
    if (days < 0) return `The registration of ${shortName(name)} expired on ${utc(atMs)}${asOf}. Renew it${at} now.`;
    const when = days === 0 ? 'in less than a day' : `in ${count(days, 'day')}`;
    return `The registration of ${shortName(name)} expires ${when}, on ${utc(atMs)}${asOf}. Renew it${at}.`;
  },
  renewed({ name, expires_at_ms }: Pick<Named, 'name' | 'expires_at_ms'>): string {
    return expires_at_ms === null
      ? `The registry no longer says when ${shortName(name)} expires.`
      : `The registration of ${shortName(name)} was renewed until ${utc(expires_at_ms)}.`;
  },
};
