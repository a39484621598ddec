import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const scansPart: Part = {
  nav: {
    label: inLanguage({ en: 'Security scans', de: 'Sicherheitsprüfungen' }),
    to: '/scans',
    icon: 'M8 1.5 13.5 4v4c0 3.2-2.3 5.6-5.5 6.5C4.8 13.6 2.5 11.2 2.5 8V4zM5.5 8l2 2 3.5-4',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: null,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/scans',
      component: lazyPage(() => import('./list-page.tsx'), 'ScansPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/scans/$id',
      beforeLoad: knownId('id', 'scn'),
      component: lazyPage(() => import('./scan-page.tsx'), 'ScanPage'),
    }),
  ],
};
