import type { ReportOrder } from '../documents.js';
import type { ReportFacts } from '../facts/facts.js';
import { SECTIONS, type SectionName } from '../sections.js';

/** Whether a section has anything to say. Those that this version of Picket has no data for never have. */
const HAS_DATA: Readonly<Partial<Record<SectionName, (facts: ReportFacts) => boolean>>> = {
  executive_summary: ({ monitors }) => monitors.length > 0,
  email_deliverability: ({ emailDomains }) => emailDomains.length > 0,
  ssl_domain: ({ certificates, domains }) => certificates.length > 0 || domains.length > 0,
  backup_verification: ({ backups }) => backups.length > 0,
  reputation: ({ reputation }) => reputation.length > 0,
  wordpress: ({ wordpress }) => wordpress.sites.length > 0,
  security_scans: ({ scans }) => scans.length > 0,
  alerts: ({ incidents }) => incidents.total > 0,
};

/** Returns the sections that a report has. */
export function shownSections({ sections }: Pick<ReportOrder, 'sections'>, facts: ReportFacts): SectionName[] {
  return SECTIONS.filter((name) => {
    const choice = sections[name];
    return choice === 'if_data' ? (HAS_DATA[name]?.(facts) ?? false) : choice;
  });
}
