/** The examples of this slice in the OpenAPI document. */

const NAME = 'example.com';
const CHECKED_AT = '2026-01-31T12:00:00.000Z';
const DMARC = {
  code: 'dmarc_policy_none',
  level: 'warning',
  message: 'The policy is “none”: receivers deliver forged mail of example.com as before.',
  next_step: 'When the reports show no mail of yours that fails, change to “p=quarantine” or “p=reject”.',
};

const STATUSES = [
  { area: 'mx', status: 'passing' },
  { area: 'spf', status: 'passing' },
  { area: 'dkim', status: 'passing' },
  { area: 'dmarc', status: 'warning' },
  { area: 'mta_sts', status: 'warning' },
  { area: 'tls_rpt', status: 'warning' },
  { area: 'reverse_dns', status: 'passing' },
  { area: 'starttls', status: 'not_measured' },
];

export const EMAIL_DOMAIN_EXAMPLE = {
  id: 'eml_01kf5e6q0h3v8r2m9x4t7c1z5n',
  name: NAME,
  dkim_selectors: ['s1'],
  status: 'warning',
  score: 84,
  statuses: STATUSES,
  last_checked_at: CHECKED_AT,
  next_check_at: '2026-02-01T03:11:09.402Z',
  created_at: '2026-01-10T12:03:12.401Z',
  updated_at: '2026-01-10T12:03:12.401Z',
};

export const EMAIL_DOMAIN_WITH_AREAS_EXAMPLE = {
  ...EMAIL_DOMAIN_EXAMPLE,
  areas: [
    {
      area: 'dmarc',
      status: 'warning',
      counted_as: 'warning',
      points: 10,
      points_max: 20,
      findings: [DMARC],
      evidence: [
        { label: `TXT _dmarc.${NAME}`, value: `v=DMARC1; p=none; rua=mailto:dmarc@${NAME}` },
        { label: 'Alignment', value: 'DKIM relaxed, SPF relaxed' },
      ],
      proposal: null,
    },
  ],
};

export const EMAIL_DOMAIN_DAY_EXAMPLE = {
  date: '2026-01-31',
  score: 84,
  statuses: STATUSES,
  checked_at: CHECKED_AT,
};
