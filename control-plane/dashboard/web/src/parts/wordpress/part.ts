import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';

export const wordpressPart: Part = {
  nav: {
    label: texts.frame.wordpress,
    to: '/wordpress',
    icon: 'M8 1.5 13.5 3.5V8c0 3-2.3 5.4-5.5 6.5C4.8 13.4 2.5 11 2.5 8V3.5zM5.5 8l2 2 3.5-4',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/wordpress',
      component: lazyPage(() => import('./list-page.tsx'), 'SitesPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/wordpress/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewSitePage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/wordpress/$id',
      beforeLoad: knownId('id', 'site'),
      component: lazyPage(() => import('./site-page.tsx'), 'SitePage'),
    }),
  ],
};
