import { createRoute } from '@tanstack/react-router';
import type { Account } from '../../api/types.ts';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
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
  palette: null,
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/health',
      component: lazyPage(() => import('./health/health-page.tsx'), 'HealthPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/probes',
      component: lazyPage(() => import('./probes/probes-page.tsx'), 'ProbesPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/locations',
      component: lazyPage(() => import('./locations/locations-page.tsx'), 'LocationsPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/workspaces',
      validateSearch: (search): WorkspaceFilter => workspaceFilterOf(search),
      component: lazyPage(() => import('./workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/workspaces/$id',
      beforeLoad: knownId('id', 'ws'),
      component: lazyPage(() => import('./workspaces/workspace-page.tsx'), 'OperatedWorkspacePage'),
    }),
  ],
};
