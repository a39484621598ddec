import type { ClientReport } from '../../api/types.ts';

export type SectionName = keyof ClientReport['sections'];

/** In their order in the report. */
export const SECTIONS: readonly SectionName[] = [
  ...(['executive_summary', 'email_deliverability', 'ssl_domain', 'backup_verification', 'reputation'] as const),
  ...(['wordpress', 'alerts', 'security_scans'] as const),
];

/** Those that Picket has data for. The others only say that there is none, which no client needs to read. */
export const WITH_DATA: Readonly<Record<SectionName, boolean>> = {
  ...{ executive_summary: true, ssl_domain: true, backup_verification: true, reputation: true, alerts: true },
  ...{ email_deliverability: false, wordpress: false, security_scans: true },
};
