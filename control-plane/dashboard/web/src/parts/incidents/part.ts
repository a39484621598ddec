import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';
import { incidentSearch } from './list/search.ts';

export const incidentsPart: Part = {
  nav: {
    label: texts.frame.incidents,
    to: '/incidents',
    icon: 'M8 2 14.5 13.5h-13zM8 6.5v3.5M8 11.6v.4',
    isExact: false,
    isOnPhones: true,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/incidents',
      validateSearch: incidentSearch,
      component: lazyPage(() => import('./list/list-page.tsx'), 'IncidentsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/incidents/$id',
      beforeLoad: knownId('id', 'inc'),
      component: lazyPage(() => import('./incident/incident-page.tsx'), 'IncidentPage'),
    }),
  ],
};
