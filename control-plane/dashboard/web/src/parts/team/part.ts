import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const teamPart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'Team', de: 'Team' }),
      to: '/settings/team',
      group: 'workspace',
      isFor: () => true,
    },
    {
      label: inLanguage({ en: 'Single sign-on', de: 'Single Sign-on' }),
      to: '/settings/single-sign-on',
      group: 'workspace',
      isFor: ({ role }) => role === 'owner' || role === 'admin',
    },
  ],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/team',
      component: lazyPage(() => import('./team-page.tsx'), 'TeamPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/single-sign-on',
      component: lazyPage(() => import('./single-sign-on/page.tsx'), 'SingleSignOnPage'),
    }),
  ],
};
