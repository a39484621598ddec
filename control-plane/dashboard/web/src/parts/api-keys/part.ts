import { createRoute } from '@tanstack/react-router';
import { mayManage } from '../../app/account.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const apiKeysPart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'API keys', de: 'API-Schlüssel' }),
      to: '/settings/api-keys',
      group: 'workspace',
      isFor: mayManage,
    },
  ],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/api-keys',
      component: lazyPage(() => import('./list-page.tsx'), 'ApiKeysPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/api-keys/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewApiKeyPage'),
    }),
  ],
};
