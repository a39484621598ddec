import type {
  ComponentModel,
  ComponentState,
  MaintenanceModel,
  PageModel,
} from '../../../control-plane/status-pages/compile/model.js';

const DAYS = 90;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2031, 0, 31, 12, 34);

/** Returns a component whose days with downtime are those for which `downMs` is above 0. */
export function componentModel(
  over: Partial<ComponentModel> = {},
  downMs: (day: number) => number | null = () => 0,
): ComponentModel {
  return {
    id: `cmp_${'0'.repeat(26)}`,
    name: 'Checkout of the shop',
    description: null,
    state: 'operational',
    proportion: null,
    uptime: 99.9876,
    coverage: 100,
    days: Array.from({ length: DAYS }, (_, day) => {
      const down = downMs(day);
      if (down === null) return { uptime: null, coverage: 0, downMs: 0 };
      return { uptime: Math.floor((1 - down / DAY_MS) * 1_000_000) / 10_000, coverage: 99.9876, downMs: down };
    }),
    ...over,
  };
}

/** Returns a page with these components in one group. */
export function pageModel(components: readonly ComponentModel[], over: Partial<PageModel> = {}): PageModel {
  return {
    slug: 'example',
    title: 'Example Ltd',
    description: 'The state of our services.',
    color: '#1f4e79',
    logo: null,
    timeZone: 'Europe/Berlin',
    asOfMs: NOW,
    createdMs: NOW - DAYS * DAY_MS,
    state: 'operational',
    dates: Array.from({ length: DAYS }, (_, day) =>
      new Date(NOW - (DAYS - 1 - day) * DAY_MS).toISOString().slice(0, 10),
    ),
    groups: [{ name: 'Shop', components }],
    outages: [],
    furtherOutages: [],
    notices: [],
    maintenance: [],
    ...over,
  };
}

const STATES: readonly ComponentState[] = [
  ...(['operational', 'maintenance', 'not_known', 'degraded', 'partial_outage', 'outage'] as const),
];

function planned(id: string, times: Omit<MaintenanceModel, 'id' | 'componentIds' | 'series'>): MaintenanceModel {
  return { ...times, id, componentIds: [], series: null };
}

/** Returns a page with everything that a page can have. */
export function fullPage(): PageModel {
  const at = (hours: number) => NOW - hours * 3_600_000;
  const update = (id: string, hours: number) => ({
    id,
    state: 'monitoring' as const,
    atMs: at(hours),
    editedMs: at(hours - 1),
    text: 'We have restarted the load balancer. See https://status.example.net/ for more.\n\nNext update at 14:00.',
  });
  return pageModel(
    STATES.map((state, index) =>
      componentModel(
        { state, name: `Part ${index}`, description: index === 0 ? 'Orders and payments' : null },
        (day) => (day < 20 ? null : day % 17 === 0 ? 7_200_000 : day % 11 === 0 ? 600_000 : 0),
      ),
    ),
    {
      state: 'partial_outage',
      outages: [
        {
          id: 'a-1',
          component: 'Part 5',
          componentId: 'cmp_5',
          proportion: null,
          startedMs: at(1),
          resolvedMs: null,
          recovered: false,
        },
        {
          id: 'a-2',
          component: 'Part 4',
          componentId: 'cmp_4',
          proportion: { down: 1, of: 20, isMore: false },
          startedMs: at(50),
          resolvedMs: at(48),
          recovered: true,
        },
      ],
      notices: [
        {
          id: 'spi_1',
          title: 'Payments are slow',
          state: 'monitoring',
          components: ['Part 3', 'Part 0'],
          componentIds: ['cmp_3', 'cmp_0'],
          startedMs: at(5),
          resolvedMs: null,
          updates: [update('upd_2', 3), update('upd_1', 5)],
        },
      ],
      maintenance: [
        planned('m-1', { startsMs: at(1), endsMs: at(-1), isActive: true, components: ['Part 1'] }),
        planned('m-2', { startsMs: at(-50), endsMs: at(-52), isActive: false, components: ['Part 1', 'Part 2'] }),
      ],
    },
  );
}
