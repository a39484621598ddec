import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { zoomSearch } from '../../components/chart/use-zoom.ts';
import { texts } from '../../texts/app/texts.ts';
import { type BlacklistFilter, STATUSES, type TargetSearch } from './filter.ts';

export const blacklistsPart: Part = {
  nav: {
    label: texts.frame.blacklists,
    to: '/blacklists',
    icon: 'M2 4h12v8H2zM2.5 4.5 8 9l5.5-4.5M10.5 10.5l3 3M13.5 10.5l-3 3',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/blacklists',
      validateSearch: (search): BlacklistFilter => {
        const status = STATUSES.find((one) => one === search['status']);
        const q = textOf(search['q']);
        return { ...(q === '' ? {} : { q }), ...(status === undefined ? {} : { status }) };
      },
      component: lazyPage(() => import('./list/list-page.tsx'), 'BlacklistsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/blacklists/check',
      validateSearch: targetSearch,
      component: lazyPage(() => import('./check-page.tsx'), 'CheckPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/blacklists/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewBlacklistMonitorPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/blacklists/$id',
      beforeLoad: knownId('id', 'blm'),
      validateSearch: zoomSearch,
      component: lazyPage(() => import('./monitor/monitor-page.tsx'), 'BlacklistMonitorPage'),
    }),
  ],
};

function targetSearch(search: Record<string, unknown>): TargetSearch {
  const target = textOf(search['target']);
  return target === '' ? {} : { target };
}

/** The router reads `?q=1` as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
