import type { Actor } from '../actor.js';
import type { MonitorImage } from '../monitors/monitors.js';
import type { BulkGroup, OperationType } from './schema.js';

/** Who started a job, as far as later parts of it need that: the plan is read again for each part. */
export type JobActor = Pick<Actor, 'kind' | 'userId' | 'email' | 'ip' | 'role' | 'requestId'> & {
  key: { id: string; name: string } | null;
};

/**
 * One document of `monitor_bulk_jobs`: a bulk change, from its acceptance on. `done` is how many of its items, in their
 * order, the current phase has worked through; it is written in the transaction that writes the monitors.
 */
export interface BulkJobDocument {
  _id: string;
  workspace_id: string;
  operation: OperationType;
  /** The names of the fields that are set. */
  fields: string[];
  tags: string[];
  groups: BulkGroup[];
  /** The operation, which can contain secrets; null once it is applied. */
  sealed: string | null;
  state: 'applying' | 'applied' | 'undoing' | 'undone';
  /** Present while parts remain: a workspace has one such job at most. */
  open?: true;
  monitors: number;
  done: number;
  skipped: number;
  actor: JobActor;
  requested_at_ms: number;
  finished_at_ms: number | null;
  undo: { actor: JobActor; on_conflict: 'refuse' | 'skip' | 'overwrite'; requested_at_ms: number } | null;
  undone_at_ms: number | null;
  /** Monitors that the undo left as they were. */
  kept: number;
  /** Whether the items, with the images of the monitors, are stored. */
  has_items: boolean;
  expires_at: Date;
}

/** One document of `monitor_bulk_items`: a monitor of a job. Its id is the job's, `/` and its place. */
export interface BulkItemDocument {
  _id: string;
  workspace_id: string;
  monitor_id: string;
  name: string;
  /** `skipped`: it could no longer be changed. `kept`: the undo did not change it. */
  state: 'pending' | 'applied' | 'skipped' | 'undone' | 'kept';
  /** Why it was skipped or kept. */
  reason: string | null;
  /** What the operation changed of it, as it was before. */
  image: MonitorImage | null;
  /** The version that the operation wrote; null for a deleted monitor. */
  version: number | null;
  expires_at: Date;
}
