/** A reply as the API documentation shows it. */
export const BILLING_EXAMPLE = {
  plan: 'Pro',
  description:
    '200 monitors, checked every 30 s from 5 locations; 50 servers, 20 WordPress sites, 50 blacklist monitors.',
  intervals: { interval_seconds_min: 30, locations_per_monitor: 5 },
  quotas: [
    { name: 'monitors', label: 'monitors', used: 12, limit: 200 },
    { name: 'servers', label: 'servers', used: 3, limit: 50 },
    { name: 'members', label: 'members', used: 4, limit: 1_000 },
  ],
  retention: {
    ...{ plan: 'Pro', until: null, raw_seconds: 604_800, minutes_seconds: 2_592_000 },
    ...{ hours_seconds: 31_536_000, audit_seconds: 7_776_000 },
  },
  next: { change: 'renewal', at: '2026-02-28T12:00:00.000Z', plan: 'Pro' },
  stripe: { connected: true, customer: true, subscription: 'active' },
  invoices: [
    {
      ...{ id: 'in_1Pq9', number: '8A2C-0001', status: 'paid', currency: 'eur', amount: 2_900 },
      ...{ created_at: '2026-01-28T12:00:00.000Z', url: 'https://invoice.stripe.com/i/acct_1/test_1' },
    },
  ],
};
