import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { mayManage } from '../../app/account.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const apiKeysPart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'API Keys', de: 'API-Schlüssel' }),
      to: '/settings/api-keys',
      group: 'workspace',
      isFor: mayManage,
    },
  ],
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/api-keys',
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ApiKeysPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/api-keys/new',
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewApiKeyPage'),
    }),
  ],
};
