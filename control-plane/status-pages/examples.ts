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
  logo_url: null,
  host_names: ['status.example.com'],
  hosts: [
    {
      name: 'status.example.com',
      url: 'https://status.example.com',
      verified_at: '2026-01-20T16:45:12.000Z',
      verified_by: 'txt',
      checked_at: '2026-01-31T11:45:12.000Z',
      record: {
        type: 'TXT',
        name: '_picket-challenge.status.example.com',
        value: 'picket-challenge=4c9a3d0e5b7f18263a4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819203',
      },
      cname: 'picket.example.com',
    },
  ],
  created_by: 'ada@example.com',
  created_at: '2026-01-20T16:42:10.000Z',
  updated_at: '2026-01-20T16:42:10.000Z',
};
