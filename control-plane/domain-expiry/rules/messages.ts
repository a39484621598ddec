import { count, shortName, utc } from '../../wording.js';
import type { Registration } from '../documents.js';

const DAY_MS = 86_400_000;

/** What the messages say of a domain. */
type Named = { name: string } & Pick<Registration, 'expires_at_ms' | 'phase' | 'registrar'>;

/** The messages of incidents of domains. */
export const domainMessages = {
  expiring({ name, expires_at_ms, phase, registrar }: Named, nowMs: number): string {
    const atMs = expires_at_ms ?? nowMs;
    const days = Math.floor((atMs - nowMs) / DAY_MS);
    const at = registrar === null ? '' : ` at ${shortName(registrar)}`;
    if (phase === 'deleting') return `The registration of ${shortName(name)} has ended. Restore it${at} now.`;
    if (days < 0) return `The registration of ${shortName(name)} expired on ${utc(atMs)}. Renew it${at} now.`;
    const when = days === 0 ? 'in less than a day' : `in ${count(days, 'day')}`;
    return `The registration of ${shortName(name)} expires ${when}, on ${utc(atMs)}. Renew it${at}.`;
  },
  renewed({ name, expires_at_ms }: Named): string {
    return expires_at_ms === null
      ? `The registry no longer says when ${shortName(name)} expires.`
      : `The registration of ${shortName(name)} was renewed until ${utc(expires_at_ms)}.`;
  },
};
