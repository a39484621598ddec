import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateCounter } from '../http/limits/rate-counter.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import type { StandingOf } from '../plans/cache.js';
import { countedQuota } from '../plans/quotas.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { LeasedPeriodicTask, LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createJudgingJob } from './judging/job.js';
import { createListeningStore } from './judging/listening-store.js';
import type { BackupJobNeeds } from './needs.js';
import { pingMount } from './pings/mount.js';
import { createBackupJobRoutes } from './routes.js';
import { type BackupRunStore, createBackupRunStore } from './runs/store.js';
import { type BackupJobStore, createBackupJobStore } from './store.js';

/** The stored backup jobs and their runs. */
export interface BackupRecords extends OpenedSlice {
  store: BackupJobStore;
  runs: BackupRunStore;
  ensureIndexes(): Promise<void>;
}

export const backupRecordsSlice = {
  name: 'backupRecords',
  idPrefixes: ['bkp', 'bkr'],
  open({ db }): BackupRecords {
    const [store, runs] = [createBackupJobStore(db), createBackupRunStore(db)];
    return {
      ...{ store, runs },
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), runs.ensureIndexes()]);
      },
    };
  },
} satisfies Slice<'backupRecords', { db: Db }, BackupRecords>;

type BackupJobsNeeds = Omit<BackupJobNeeds, 'store' | 'runs'> &
  LeasedPeriodicTaskNeeds & {
    db: Db;
    records: Pick<BackupRecords, 'store' | 'runs'>;
    standingOf: StandingOf;
    runTransaction: RunTransaction;
    pager: Pager;
    clock: Clock;
    logger: Logger;
  };

export interface OpenedBackupJobs extends OpenedSlice {
  judging: LeasedPeriodicTask<number>;
}

/** Opens backup jobs: their settings, their pings, and what notices that a ping did not come. */
function openBackupJobs(all: BackupJobsNeeds): OpenedBackupJobs {
  const { db, records, pager, clock, logger } = all;
  const { store, runs } = records;
  const needs = { ...all, store, runs, listening: createListeningStore(db) };
  const rates = { store: createRateLimitStore(db), clock, logger };
  const guesses = createGuessLimit({ ...rates, what: 'ping URL' });
  const counter = createRateCounter({ ...rates, exchangedFrom: 1 });
  const judging = createJudgingJob(needs);
  return {
    judging,
    routes: createBackupJobRoutes(needs, pager),
    mounts: [pingMount({ ...needs, guesses, counter })],
    quotas: [
      countedQuota({
        ...{ name: 'backup_jobs', label: 'backup jobs', things: store.named },
        limit: ({ backupJobs }) => backupJobs,
      }),
    ],
    jobs: [guesses, counter, judging],
  };
}

/** Backup jobs: runs that must happen on time and make backups of the right size. */
export const backupJobsSlice = {
  name: 'backupJobs',
  scopes: ['backups:read', 'backups:write'],
  auditActions: ['backup_job.created', 'backup_job.updated', 'backup_job.url_renewed', 'backup_job.deleted'],
  open: openBackupJobs,
} satisfies Slice<'backupJobs', BackupJobsNeeds, OpenedBackupJobs>;
