import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const workspacePart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'Workspace', de: 'Arbeitsbereich' }),
      to: '/settings/workspace',
      group: 'workspace',
      isFor: () => true,
    },
  ],
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/workspace',
      component: lazyRouteComponent(() => import('./workspace-page.tsx'), 'WorkspacePage'),
    }),
  ],
};
