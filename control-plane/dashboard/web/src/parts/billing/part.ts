import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
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
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/billing',
      component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
    }),
  ],
};
