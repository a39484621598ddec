import type { QueryClient } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { PageSkeleton } from '../components/page/skeleton.tsx';
import { BrokenPage } from './broken-page.tsx';
import { Frame } from './frame/frame.tsx';
import { lazyPage } from './lazy-page.ts';
import { NotFoundPage } from './not-found.tsx';
import { PARTS } from './parts.ts';

/** What e-mails link to that is a part of the settings. */
const MOVED: Readonly<Record<string, string>> = {
  '/settings': '/settings/workspace',
  '/settings/': '/settings/workspace',
  '/billing': '/settings/billing',
  '/channels': '/settings/channels',
  '/account': '/settings/account',
  '/account/sessions': '/settings/sessions',
  '/account/second-factor': '/settings/second-factor',
};

/** Returns the router of all parts. Links work below the path of the installation. */
export function createAppRouter(queries: QueryClient) {
  const root = createRootRoute({
    component: Frame,
    notFoundComponent: NotFoundPage,
    beforeLoad({ location: { pathname } }) {
      const to = MOVED[pathname];
      if (to !== undefined) throw redirect({ to, replace: true });
    },
  });
  const settings = createRoute({
    getParentRoute: () => root,
    id: 'settings',
    component: lazyPage(() => import('./frame/settings-frame.tsx'), 'SettingsFrame'),
  });
  const parents = { frame: root, settings, queries };
  // The routes of a part know their parent, and the parent must list them.
  const routes = PARTS.flatMap((part) => part.routes(parents));
  const inSettings = routes.filter(({ options }) => options.getParentRoute?.() === settings);
  // Keeps the second column.
  const restOfSettings = createRoute({
    getParentRoute: () => settings,
    path: '/settings/$',
    component: NotFoundPage,
  });
  const rest = createRoute({ getParentRoute: () => root, path: '$', component: NotFoundPage });
  return createRouter({
    routeTree: root.addChildren([
      ...routes.filter((route) => !inSettings.includes(route)),
      settings.addChildren([...inSettings, restOfSettings]),
      rest,
    ]),
    basepath: new URL(document.baseURI).pathname,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: BrokenPage,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}
