import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
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
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ settings }) => [
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/alert-rules',
      component: lazyPage(() => import('./list-page.tsx'), 'AlertRulesPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/alert-rules/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewAlertRulePage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/alert-rules/$ruleId',
      beforeLoad: knownId('ruleId', 'rule'),
      component: lazyPage(() => import('./rule-page.tsx'), 'AlertRulePage'),
    }),
  ],
};
