import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';

export const overviewPart: Part = {
  nav: {
    label: texts.frame.overview,
    to: '/',
    icon: 'M2 8.5 8 3l6 5.5M4 7.5V13h8V7.5',
    isExact: true,
    isOnPhones: true,
  },
  settings: [],
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/',
      component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
    }),
  ],
};
