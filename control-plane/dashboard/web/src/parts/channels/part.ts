import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const channelsPart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'Channels', de: 'Kanäle' }),
      to: '/settings/channels',
      group: 'workspace',
      isFor: () => true,
    },
  ],
  routes: ({ frame, settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/channels',
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'ChannelsPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/channels/new',
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewChannelPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/channels/$channelId',
      component: lazyRouteComponent(() => import('./channel-page.tsx'), 'ChannelPage'),
    }),
    // Test messages link here.
    createRoute({
      getParentRoute: () => frame,
      path: '/channels/$channelId',
      beforeLoad({ params }) {
        throw redirect({ to: `/settings/channels/${Object(params).channelId}`, replace: true });
      },
    }),
  ],
};
