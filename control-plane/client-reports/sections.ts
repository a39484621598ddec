/** The sections of a report in their order, by their names in the API. */
export const SECTIONS = [
  'executive_summary',
  'email_deliverability',
  'ssl_domain',
  'backup_verification',
  'reputation',
  'wordpress',
  'alerts',
  'security_scans',
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Which sections a report has. `if_data`: those that have something to say. */
export type SectionChoice = Record<SectionName, boolean | 'if_data'>;

export const SECTION_TITLES: Readonly<Record<SectionName, string>> = {
  executive_summary: 'Executive Summary',
  email_deliverability: 'Email Deliverability',
  ssl_domain: 'SSL & Domain Monitoring',
  backup_verification: 'Backup Verification',
  reputation: 'Reputation & Blacklists',
  wordpress: 'WordPress Sites',
  alerts: 'Alerts Summary',
  security_scans: 'Security Scans',
};
