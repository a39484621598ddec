import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const emailDomainsPart: Part = {
  nav: {
    label: inLanguage({ en: 'E-mail domains', de: 'E-Mail-Domains' }),
    to: '/email-domains',
    icon: 'M1.5 3.5h13v9h-13zM1.5 4l6.5 5 6.5-5',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/email-domains',
      component: lazyPage(() => import('./list-page.tsx'), 'EmailDomainsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/email-domains/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewDomainPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/email-domains/$id',
      beforeLoad: knownId('id', 'eml'),
      component: lazyPage(() => import('./domain-page.tsx'), 'EmailDomainPage'),
    }),
  ],
};
