import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** The pages of bulk changes. */
export function bulkRoutes(frame: AnyRoute): AnyRoute[] {
  return [
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/changes',
      component: lazyRouteComponent(() => import('./changes-page.tsx'), 'ChangesPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/monitors/new/lines',
      component: lazyRouteComponent(() => import('./paste-page.tsx'), 'PastePage'),
    }),
  ];
}
