import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

const labels = inLanguage({
  en: { account: 'Profile', secondFactor: 'Second factor', sessions: 'Sessions' },
  de: { account: 'Profil', secondFactor: 'Zweiter Faktor', sessions: 'Sitzungen' },
});
const isFor = () => true;

export const accountPart: Part = {
  nav: null,
  settings: [
    { label: labels.account, to: '/settings/account', group: 'person', isFor },
    { label: labels.secondFactor, to: '/settings/second-factor', group: 'person', isFor },
    { label: labels.sessions, to: '/settings/sessions', group: 'person', isFor },
  ],
  palette: null,
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/account',
      component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/second-factor',
      component: lazyPage(() => import('./second-factor/second-factor-page.tsx'), 'SecondFactorPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/sessions',
      component: lazyPage(() => import('./sessions-page.tsx'), 'SessionsPage'),
    }),
  ],
};
