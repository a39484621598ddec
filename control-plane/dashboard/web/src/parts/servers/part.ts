import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { type ZoomSearch, zoomSearch } from '../../components/chart/use-zoom.ts';
import { texts } from '../../texts/app/texts.ts';
import { RANGES, type RangeSearch, type ServerFilter, STATUSES } from './filter.ts';

export const serversPart: Part = {
  nav: {
    label: texts.frame.servers,
    to: '/servers',
    icon: 'M2 2.5h12v4.5H2zM2 9h12v4.5H2zM4.5 4.75h1.5M4.5 11.25h1.5',
    isExact: false,
    isOnPhones: true,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/servers',
      validateSearch: (search): ServerFilter => {
        const status = STATUSES.find((one) => one === search['status']);
        const [q, tag] = [textOf(search['q']), textOf(search['tag'])];
        return {
          ...(q === '' ? {} : { q }),
          ...(tag === '' ? {} : { tag }),
          ...(status === undefined ? {} : { status }),
        };
      },
      component: lazyPage(() => import('./list-page.tsx'), 'ServersPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/servers/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewServerPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/servers/$id',
      beforeLoad: knownId('id', 'srv'),
      validateSearch: (search): RangeSearch & ZoomSearch => {
        const range = RANGES.find((one) => one === search['range']);
        return { ...zoomSearch(search), ...(range === undefined ? {} : { range }) };
      },
      component: lazyPage(() => import('./server-page.tsx'), 'ServerPage'),
    }),
  ],
};

/** The router reads `?q=1` as a number. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
