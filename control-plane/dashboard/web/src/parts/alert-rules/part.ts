import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const alertRulesPart: Part = {
  nav: null,
  settings: [
    {
      label: inLanguage({ en: 'Alert rules', de: 'Alarmregeln' }),
      to: '/settings/alert-rules',
      group: 'workspace',
      isFor: () => true,
    },
  ],
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/alert-rules',
      component: lazyRouteComponent(() => import('./list-page.tsx'), 'AlertRulesPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/alert-rules/new',
      component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewAlertRulePage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/alert-rules/$ruleId',
      component: lazyRouteComponent(() => import('./rule-page.tsx'), 'AlertRulePage'),
    }),
  ],
};
