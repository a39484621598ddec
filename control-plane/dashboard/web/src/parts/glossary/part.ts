import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';

/** What the words of the pages mean. The account menu, the list of keys and the search lead to it. */
export const glossaryPart: Part = {
  nav: null,
  settings: [],
  palette: null,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/glossary',
      component: lazyPage(() => import('./glossary-page.tsx'), 'GlossaryPage'),
    }),
  ],
};
