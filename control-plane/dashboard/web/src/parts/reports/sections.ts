import type { ClientReport } from '../../api/types.ts';

export type SectionName = keyof ClientReport['sections'];

/** In their order in the report. */
export const SECTIONS: readonly SectionName[] = [
  ...(['executive_summary', 'email_deliverability', 'ssl_domain', 'backup_verification', 'reputation'] as const),
  ...(['wordpress', 'alerts', 'security_scans'] as const),
];

/** What a new report has: Picket has data for each section. */
export const ALL_SECTIONS = Object.fromEntries(SECTIONS.map((name) => [name, true])) as Readonly<
  Record<SectionName, boolean>
>;
