import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';
import { incidentSearch } from './search.ts';

export const incidentsPart: Part = {
  nav: {
    label: texts.frame.incidents,
    to: '/incidents',
    icon: 'M8 2 14.5 13.5h-13zM8 6.5v3.5M8 11.6v.4',
    isExact: false,
    isOnPhones: true,
  },
  settings: [],
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/incidents',
      validateSearch: incidentSearch,
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'IncidentsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/incidents/$id',
      component: lazyRouteComponent(() => import('./incident-page.tsx'), 'IncidentPage'),
    }),
  ],
};
