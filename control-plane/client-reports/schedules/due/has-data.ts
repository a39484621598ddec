import type { ReportFacts } from '../../facts/facts.js';
import type { ScheduleSettings } from '../documents.js';

/** Returns whether there is anything of the period to report about: something was observed, or an incident began. Pure. */
export function hasData(
  {
    period,
    incidents,
    reputation,
    backups,
    emailDomains,
    wordpress,
  }: Pick<ReportFacts, 'period' | 'incidents' | 'reputation' | 'backups' | 'emailDomains' | 'wordpress'>,
  { sections }: Pick<ScheduleSettings, 'sections'>,
): boolean {
  if (period.observedMs > 0 || incidents.total > 0) return true;
  const isShown = (section: keyof typeof sections) => sections[section] !== false;
  const ran = ({ succeeded, failed, missed }: (typeof backups)[number]) => succeeded + failed + missed > 0;
  if (isShown('backup_verification') && backups.some(ran)) return true;
  // Blacklists, e-mail domains and sites are as of now, so they say something about every period.
  const wasChecked = ({ checkedMs }: { checkedMs: number | null }) => checkedMs !== null;
  return (
    (isShown('reputation') && reputation.some(wasChecked)) ||
    (isShown('email_deliverability') && emailDomains.some(wasChecked)) ||
    (isShown('wordpress') && wordpress.sites.length > 0)
  );
}
