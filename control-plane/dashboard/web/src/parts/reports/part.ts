import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';

export const reportsPart: Part = {
  nav: {
    label: texts.frame.reports,
    to: '/reports',
    icon: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M6 12V9.5M8 12V7M10 12v-1.5',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/reports',
      component: lazyPage(() => import('./list-page.tsx'), 'ReportsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/reports/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewReportPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/reports/schedules',
      component: lazyPage(() => import('./schedules/list-page.tsx'), 'SchedulesPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/reports/schedules/new',
      component: lazyPage(() => import('./schedules/new-page.tsx'), 'NewSchedulePage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/reports/schedules/$id',
      beforeLoad: knownId('id', 'sch'),
      component: lazyPage(() => import('./schedules/schedule-page.tsx'), 'SchedulePage'),
    }),
  ],
};
