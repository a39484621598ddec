import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const billingPart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'Billing', de: 'Abrechnung' }),
      to: '/settings/billing',
      group: 'workspace',
      isFor: () => true,
    },
  ],
  palette: null,
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/billing',
      component: lazyPage(() => import('./billing-page.tsx'), 'BillingPage'),
    }),
  ],
};
