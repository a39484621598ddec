import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { texts } from '../../texts/app/texts.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { type AuditFilter, auditFilterOf } from './filter.ts';

export const auditPart: Part = {
  nav: {
    label: texts.frame.auditLog,
    to: '/audit',
    icon: 'M3.5 2h6.5l2.5 2.5V14h-9zM6 7h4M6 9.5h4M6 12h2.5',
    isExact: false,
    isOnPhones: false,
  },
  settings: [
    {
      label: inLanguage({ en: 'Forwarders', de: 'Weiterleitungen' }),
      to: '/settings/forwarders',
      group: 'workspace',
      isFor: () => true,
    },
  ],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame, settings }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/audit',
      validateSearch: (search): AuditFilter => auditFilterOf(search),
      component: lazyPage(() => import('./audit-page.tsx'), 'AuditPage'),
    }),
    createRoute({
      getParentRoute: () => settings,
      path: '/settings/forwarders',
      // With the form for a new one, which the search of Ctrl-K opens.
      validateSearch: ({ add }): { add?: true } => (add === true ? { add } : {}),
      component: lazyPage(() => import('./forwarders/forwarders-page.tsx'), 'ForwardersPage'),
    }),
  ],
};
