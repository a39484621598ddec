import type { Logger } from '../../../../kernel/logger.js';
import type { Actor } from '../../../actor.js';
import type { Mailer, TrackedMails } from '../../../mail/mailer.js';
import type { StandingOf } from '../../../plans/cache.js';
import type { RunTransaction } from '../../../storage/transaction.js';
import type { ReportSources } from '../../facts/facts.js';
import type { ReportNeeds } from '../../needs.js';
import type { ScheduleNeeds } from '../needs.js';

/** Dependencies of the task that makes and sends the reports of schedules. */
export interface DueNeeds
  extends Pick<ReportNeeds, 'store' | 'files' | 'months' | 'audit' | 'ids' | 'clock' | 'random'> {
  schedules: ScheduleNeeds['schedules'];
  runs: ScheduleNeeds['runs'];
  recipients: Pick<ScheduleNeeds['recipients'], 'sort'>;
  sources: ReportSources;
  mailer: Mailer;
  tracked: TrackedMails;
  standingOf: StandingOf;
  /** Returns Picket itself as an actor in the workspace. */
  systemActor(workspaceId: string): Promise<Actor>;
  /** Of tasks, which nobody waits for. */
  runTransaction: RunTransaction;
  /** Without a slash at the end. */
  publicUrl: string;
  logger: Logger;
}

export const STOPPED = 'The workspace was stopped.';
