import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const maintenancePart: Part = {
  nav: {
    label: inLanguage({ en: 'Maintenance', de: 'Wartung' }),
    to: '/maintenance',
    icon: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.5 2v3M10.5 2v3',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/maintenance',
      component: lazyPage(() => import('./list-page.tsx'), 'MaintenancePage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/maintenance/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewWindowPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/maintenance/$windowId',
      beforeLoad: knownId('windowId', 'mnt'),
      component: lazyPage(() => import('./window-page.tsx'), 'WindowPage'),
    }),
  ],
};
