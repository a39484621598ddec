import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { PageSkeleton } from '../components/skeleton.tsx';
import { Frame } from './frame.tsx';
import { NotFoundPage } from './not-found.tsx';
import { PARTS } from './parts.ts';

/** Returns the router of all parts. Links work below the path of the installation. */
export function createAppRouter() {
  const root = createRootRoute({ component: Frame, notFoundComponent: NotFoundPage });
  const rest = createRoute({ getParentRoute: () => root, path: '$', component: NotFoundPage });
  return createRouter({
    routeTree: root.addChildren([...PARTS.flatMap((part) => part.routes(root)), rest]),
    basepath: new URL(document.baseURI).pathname,
    defaultPendingComponent: PageSkeleton,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}
