import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const workspacePart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'General', de: 'Allgemein' }),
      to: '/settings/workspace',
      group: 'workspace',
      isFor: () => true,
    },
  ],
  palette: null,
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/workspace',
      component: lazyPage(() => import('./workspace-page.tsx'), 'WorkspacePage'),
    }),
  ],
};
