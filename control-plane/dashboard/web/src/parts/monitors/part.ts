import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { type ZoomSearch, zoomSearch } from '../../components/chart/use-zoom.ts';
import { texts } from '../../texts/app/texts.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { listSearch } from './list/search.ts';
import { type RangeName, searchRange } from './monitor/range.ts';

export const monitorsPart: Part = {
  nav: {
    label: texts.frame.monitors,
    to: '/monitors',
    icon: 'M1.5 8h3l2-5 3 10 2-5h3',
    isExact: false,
    isOnPhones: true,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    ...bulkRoutes(frame),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors',
      validateSearch: listSearch,
      component: lazyPage(() => import('./list/list-page.tsx'), 'MonitorsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewMonitorPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/$id',
      beforeLoad: knownId('id', 'mon'),
      validateSearch: (search): ZoomSearch & { range?: RangeName } => ({
        ...zoomSearch(search),
        ...searchRange(search['range']),
      }),
      component: lazyPage(() => import('./monitor-page.tsx'), 'MonitorPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/$id/edit',
      beforeLoad: knownId('id', 'mon'),
      component: lazyPage(() => import('./edit/edit-page.tsx'), 'EditMonitorPage'),
    }),
  ],
};
