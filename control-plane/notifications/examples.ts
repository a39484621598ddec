/** Example responses in the API documentation. A test validates each against its schema. */

export const CHANNEL_EXAMPLE = {
  id: 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n',
  type: 'webhook',
  name: 'On call',
  config: { url: 'https://example.com/hooks/picket' },
  unconfirmed: [],
  delay_minutes: 0,
  repeat_minutes: 30,
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  last_delivery: { at: '2026-01-24T03:14:07.291Z', status: 'sent', response_status: 204, error: null },
  last_test: { at: '2026-01-03T08:11:02.118Z', status: 'sent', response_status: 204, error: null },
  created_at: '2026-01-03T08:10:00.000Z',
  updated_at: '2026-01-03T08:10:00.000Z',
};

export const CREATED_CHANNEL_EXAMPLE = { ...CHANNEL_EXAMPLE, secret: `whsec_${'x'.repeat(43)}=` };

export const TEST_RESULT_EXAMPLE = { status: 'sent', error: null, response_status: 200, duration_ms: 81 };
