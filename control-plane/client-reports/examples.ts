/** The examples of this slice in the OpenAPI document. */

const SECTIONS = {
  executive_summary: true,
  email_deliverability: false,
  ssl_domain: true,
  backup_verification: false,
  reputation: true,
  wordpress: false,
  alerts: true,
  security_scans: false,
};
const PERIOD = { from: '2025-12-31T23:00:00.000Z', to: '2026-01-31T23:00:00.000Z' };

export const REQUEST_EXAMPLE = {
  title: 'Website report, January 2026',
  client_name: 'Example Ltd',
  period: PERIOD,
  time_zone: 'Europe/Berlin',
  sections: { email_deliverability: false, backup_verification: false, wordpress: false, security_scans: false },
  branding: { color: '#1f4e79' },
};

export const REPORT_EXAMPLE = {
  id: 'rpt_01kf5e6q0h3v8r2m9x4t7c1z5n',
  title: REQUEST_EXAMPLE.title,
  client_name: REQUEST_EXAMPLE.client_name,
  period: PERIOD,
  time_zone: 'Europe/Berlin',
  sections: SECTIONS,
  monitors: null,
  paper_size: 'A4',
  branding: { color: '#1f4e79', has_logo: false },
  schedule_id: null,
  status: 'completed',
  error: null,
  pages: 6,
  size_bytes: 124031,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  verification_code: '7K2M-9XQ4-T0BD-51HW',
  created_at: '2026-02-01T08:00:00.000Z',
  completed_at: '2026-02-01T08:00:02.412Z',
};
