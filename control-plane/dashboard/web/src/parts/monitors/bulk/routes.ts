import { type AnyRoute, createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../../app/lazy-page.ts';

/** The pages of bulk changes. */
export function bulkRoutes(frame: AnyRoute): AnyRoute[] {
  return [
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/changes',
      component: lazyPage(() => import('./changes/changes-page.tsx'), 'ChangesPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/new/lines',
      component: lazyPage(() => import('./paste-page.tsx'), 'PastePage'),
    }),
  ];
}
