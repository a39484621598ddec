import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { MonitorFilter } from '../../api/queries.ts';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';

const STATUSES = ['up', 'down', 'paused'] as const;

export const monitorsPart: Part = {
  nav: {
    label: texts.frame.monitors,
    to: '/monitors',
    icon: 'M1.5 8h3l2-5 3 10 2-5h3',
    isExact: false,
    isOnPhones: true,
  },
  settings: [],
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors',
      validateSearch: (search): MonitorFilter => {
        const status = STATUSES.find((one) => one === search['status']);
        const q = typeof search['q'] === 'string' || typeof search['q'] === 'number' ? String(search['q']) : '';
        return { ...(q === '' ? {} : { q }), ...(status === undefined ? {} : { status }) };
      },
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'MonitorsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/new',
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewMonitorPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/$id',
      component: lazyRouteComponent(() => import('./monitor-page.tsx'), 'MonitorPage'),
    }),
  ],
};
