import type { JobState, RunDocument } from '../documents.js';

/** A run as a change of a job makes or ends it, before it has what only the store knows. */
export type RunRecord = Omit<RunDocument, 'workspace_id' | 'job_id' | 'expires_at'>;

/** What a ping or the passing of time changes: the state of the job, and the runs that are written with it. */
export interface Change {
  state: JobState;
  runs: readonly RunRecord[];
}
