import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';
import { inLanguage } from '../../texts/catalogue.ts';

/** It has the entry of all settings in the navigation, because it is their first page. */
export const workspacePart: Part = {
  nav: {
    label: texts.frame.settings,
    to: '/settings',
    icon: 'M2 4.5h5M11 4.5h3M2 11.5h2M8 11.5h6M9 2.5v4M6 9.5v4',
    isExact: false,
    isOnPhones: false,
  },
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
