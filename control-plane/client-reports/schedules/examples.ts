import { REPORT_EXAMPLE, REQUEST_EXAMPLE } from '../examples.js';

/** The examples of schedules in the OpenAPI document. */
export const SCHEDULE_REQUEST_EXAMPLE = {
  name: 'Example Ltd, monthly',
  cron: '0 8 1 * *',
  time_zone: 'Europe/Berlin',
  period: 'previous_month',
  recipients: ['client@example.com'],
  title: 'Website report',
  client_name: REQUEST_EXAMPLE.client_name,
  attach: 'pdf',
};

export const RUN_EXAMPLE = {
  occurrence: '2026-02-01T07:00:00.000Z',
  missed: 0,
  period: REQUEST_EXAMPLE.period,
  status: 'sent',
  reason: null,
  report_id: REPORT_EXAMPLE.id,
  recipients: [{ email: 'client@example.com', status: 'sent', sent_at: '2026-02-01T07:00:09.000Z' }],
  finished_at: '2026-02-01T07:00:08.000Z',
};

export const SCHEDULE_EXAMPLE = {
  id: 'sch_01kf5e6q0h3v8r2m9x4t7c1z5n',
  ...SCHEDULE_REQUEST_EXAMPLE,
  unconfirmed: ['client@example.com'],
  sections: REPORT_EXAMPLE.sections,
  monitors: null,
  paper_size: 'A4',
  branding: { color: '#1f4e79', has_logo: false },
  enabled: true,
  next_occurrences: [
    '2026-02-01T07:00:00.000Z',
    '2026-03-01T07:00:00.000Z',
    '2026-04-01T06:00:00.000Z',
    '2026-05-01T06:00:00.000Z',
    '2026-06-01T06:00:00.000Z',
  ],
  last_run: null,
  created_by: 'ann@example.com',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};
