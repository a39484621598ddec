import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { type ZoomSearch, zoomSearch } from '../../components/chart/use-zoom.ts';
import { texts } from '../../texts/app/texts.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { listSearch } from './list/search.ts';
import { type RangeName, rangeOf } from './monitor/range.ts';

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
    ...bulkRoutes(frame),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors',
      validateSearch: listSearch,
      component: lazyRouteComponent(() => import('./list/list-page.tsx'), 'MonitorsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/new',
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewMonitorPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/$id',
      validateSearch: (search): ZoomSearch & { range?: RangeName } => ({
        ...zoomSearch(search),
        ...(search['range'] === undefined ? {} : { range: rangeOf(search['range']) }),
      }),
      component: lazyRouteComponent(() => import('./monitor-page.tsx'), 'MonitorPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/$id/edit',
      component: lazyRouteComponent(() => import('./edit/edit-page.tsx'), 'EditMonitorPage'),
    }),
  ],
};
