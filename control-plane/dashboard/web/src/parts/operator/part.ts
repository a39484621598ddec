import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Account } from '../../api/types.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { type WorkspaceFilter, workspaceFilterOf } from './workspaces/filter.ts';

const labels = inLanguage({
  en: { probes: 'Probes', locations: 'Locations', workspaces: 'Workspaces', health: 'Health' },
  de: { probes: 'Sonden', locations: 'Standorte', workspaces: 'Arbeitsbereiche', health: 'Zustand' },
});
const isFor = ({ operator }: Account) => operator;

/** The pages of the people who run this installation. */
export const operatorPart: Part = {
  nav: null,
  settings: [
    { label: labels.health, to: '/settings/health', group: 'operator', isFor },
    { label: labels.probes, to: '/settings/probes', group: 'operator', isFor },
    { label: labels.locations, to: '/settings/locations', group: 'operator', isFor },
    { label: labels.workspaces, to: '/settings/workspaces', group: 'operator', isFor },
  ],
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/health',
      component: lazyRouteComponent(() => import('./health/health-page.tsx'), 'HealthPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/probes',
      component: lazyRouteComponent(() => import('./probes/probes-page.tsx'), 'ProbesPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/locations',
      component: lazyRouteComponent(() => import('./locations/locations-page.tsx'), 'LocationsPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/workspaces',
      validateSearch: (search): WorkspaceFilter => workspaceFilterOf(search),
      component: lazyRouteComponent(() => import('./workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/workspaces/$id',
      component: lazyRouteComponent(() => import('./workspaces/workspace-page.tsx'), 'OperatedWorkspacePage'),
    }),
  ],
};
