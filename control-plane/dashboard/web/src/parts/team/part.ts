import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/team',
      component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/single-sign-on',
      component: lazyRouteComponent(() => import('./single-sign-on/page.tsx'), 'SingleSignOnPage'),
    }),
  ],
};
