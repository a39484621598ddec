import { createRoute } from '@tanstack/react-router';
import { knownId } from '../../app/known-id.ts';
import { lazyPage } from '../../app/lazy-page.ts';
import type { Part } from '../../app/part.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const backupJobsPart: Part = {
  nav: {
    label: inLanguage({ en: 'Backup jobs', de: 'Sicherungsjobs' }),
    to: '/backup-jobs',
    icon: 'M2.5 4.5c0-3 11-3 11 0s-11 3-11 0zM2.5 4.5v7c0 3 11 3 11 0v-7M2.5 8c0 3 11 3 11 0',
    isExact: false,
    isOnPhones: false,
  },
  settings: [],
  palette: async () => (await import('./palette.ts')).palette,
  routes: ({ frame }) => [
    createRoute({
      getParentRoute: () => frame,
      path: '/backup-jobs',
      component: lazyPage(() => import('./list-page.tsx'), 'BackupJobsPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/backup-jobs/new',
      component: lazyPage(() => import('./new-page.tsx'), 'NewBackupJobPage'),
    }),
    createRoute({
      getParentRoute: () => frame,
      path: '/backup-jobs/$id',
      beforeLoad: knownId('id', 'bkp'),
      component: lazyPage(() => import('./job-page.tsx'), 'BackupJobPage'),
    }),
  ],
};
