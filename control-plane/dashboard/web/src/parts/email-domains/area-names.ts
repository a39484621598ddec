import type { EmailDomainArea } from '../../api/types.ts';

/** The names of the standards, which are the same in every language. */
export const AREA_NAMES: Readonly<Record<EmailDomainArea['area'], string>> = {
  mx: 'MX',
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mta_sts: 'MTA-STS',
  tls_rpt: 'TLS-RPT',
  reverse_dns: 'Reverse DNS',
  starttls: 'STARTTLS',
};
