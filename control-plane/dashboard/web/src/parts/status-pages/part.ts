import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';

const isPage = knownId('pageId', 'stp');
const isIncident = knownId('incidentId', 'spi');

export const statusPagesPart: Part = {
  nav: {
    label: texts.frame.statusPages,
    to: '/status-pages',
    icon: 'M1.5 2.5h13v11h-13zM1.5 5.5h13M4.5 8.5h7M4.5 11h4',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/status-pages',
      component: lazyPage(() => import('./list-page.tsx'), 'StatusPagesPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/status-pages/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewStatusPagePage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/status-pages/$pageId',
      beforeLoad: isPage,
      component: lazyPage(() => import('./page/status-page-page.tsx'), 'StatusPagePage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/status-pages/$pageId/edit',
      beforeLoad: isPage,
      component: lazyPage(() => import('./edit-page.tsx'), 'EditStatusPagePage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/status-pages/$pageId/incidents/new',
      beforeLoad: isPage,
      component: lazyPage(() => import('./incidents/new-incident-page.tsx'), 'NewPageIncidentPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/status-pages/$pageId/incidents/$incidentId',
      beforeLoad(match) {
        isPage(match);
        isIncident(match);
      },
      component: lazyPage(() => import('./incidents/incident-page.tsx'), 'PageIncidentPage'),
    }),
  ],
};
