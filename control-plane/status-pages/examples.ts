const MONITOR = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
const COMPONENT = 'cmp_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const REQUEST_EXAMPLE = {
  slug: 'example',
  title: 'Example Ltd',
  time_zone: 'Europe/Berlin',
  groups: [
    {
      name: 'Shop',
      components: [
        { name: 'Checkout', monitor_id: MONITOR },
        { name: 'Payment providers', tag: 'payment' },
      ],
    },
  ],
};

const COMPONENT_EXAMPLE = {
  id: COMPONENT,
  name: 'Checkout',
  description: null,
  monitor_id: MONITOR,
  server_id: null,
  tag: null,
  show_each: false,
};

export const PAGE_EXAMPLE = {
  id: 'stp_01kf5e6q0h3v8r2m9x4t7c1z5n',
  slug: 'example',
  url: 'https://picket.example.com/status/example',
  title: 'Example Ltd',
  description: 'The state of our services.',
  time_zone: 'Europe/Berlin',
  color: '#1f4e79',
  groups: [{ name: 'Shop', components: [COMPONENT_EXAMPLE] }],
  incidents_after_minutes: 5,
  visibility: 'public',
  has_password: false,
  created_by: 'ada@example.com',
  created_at: '2026-01-20T16:42:10.000Z',
  updated_at: '2026-01-20T16:42:10.000Z',
};
