import { createRoute } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';
import { OverviewPage } from './overview-page.tsx';
import { readOverview } from './read-overview.ts';

export const overviewPart: Part = {
  nav: {
    label: texts.frame.overview,
    to: '/',
    icon: 'M2 8.5 8 3l6 5.5M4 7.5V13h8V7.5',
    isExact: true,
    isOnPhones: true,
  },
  settings: [],
  palette: null,
  routes: ({ frame, queries }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/',
      loader: () => void readOverview(queries),
      // In the script of the application: a page of its own would come a round trip later.
      component: OverviewPage,
    }),
  ],
};
