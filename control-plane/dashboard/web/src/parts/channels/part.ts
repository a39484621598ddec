import { createRoute, redirect } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
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
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame, settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/channels',
      component: lazyPage(() => import('./list-page.tsx'), 'ChannelsPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/channels/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewChannelPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/channels/$channelId',
      beforeLoad: knownId('channelId', 'chn'),
      component: lazyPage(() => import('./channel-page.tsx'), 'ChannelPage'),
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
