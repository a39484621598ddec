import { EXAMPLE_MONITOR_ID } from '../monitors/schema.js';

/** The example of this slice in the OpenAPI document. */
export const DOMAIN_EXAMPLE = {
  id: 'dmn_01kf5e6q0h3v8r2m9x4t7c1z5n',
  name: 'example.com',
  status: 'known',
  expires_at: '2026-02-07T03:00:00.000Z',
  days_remaining: 6,
  registrar: 'Example Registrar, Inc.',
  checked_at: '2026-01-31T12:00:00.000Z',
  next_check_at: '2026-02-01T12:00:00.000Z',
  problem: null,
  monitors: 1,
  monitor_ids: [EXAMPLE_MONITOR_ID],
};
