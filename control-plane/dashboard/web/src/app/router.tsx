import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { PageSkeleton } from '../components/skeleton.tsx';
import { Frame } from './frame.tsx';
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
export function createAppRouter() {
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
    component: lazyRouteComponent(() => import('./settings-frame.tsx'), 'SettingsFrame'),
  });
  const parents = { frame: root, settings };
  // The routes of a part know their parent, and the parent must list them.
  const routes = PARTS.flatMap((part) => part.routes(parents));
  const inSettings = routes.filter(({ options }) => options.getParentRoute?.() === settings);
  const rest = createRoute({ getParentRoute: () => root, path: '$', component: NotFoundPage });
  return createRouter({
    routeTree: root.addChildren([
      ...routes.filter((route) => !inSettings.includes(route)),
      settings.addChildren(inSettings),
      rest,
    ]),
    basepath: new URL(document.baseURI).pathname,
    defaultPendingComponent: PageSkeleton,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}
