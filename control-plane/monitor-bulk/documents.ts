import type { Actor } from '../actor.js';
import type { FieldError } from '../errors.js';
import type { MonitorImage } from '../monitors/monitors.js';
import type { BulkGroup, OperationType } from './schema.js';

/** Who started a job, as far as later parts of it need that: the plan is read again for each part. */
export type JobActor = Pick<Actor, 'kind' | 'userId' | 'email' | 'ip' | 'role' | 'requestId'> & {
  key: { id: string; name: string } | null;
};

/** A monitor that a job left as it was, or that its undo restored only in part. */
export type BulkException = Pick<BulkItemDocument, 'monitor_id' | 'name' | 'reason' | 'error'>;

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
  /** Of the first monitors, as they were called when it was requested. Absent in jobs of earlier versions. */
  names?: string[];
  /** The operation, which can contain secrets; null once it is applied. */
  sealed: string | null;
  state: 'applying' | 'applied' | 'undoing' | 'undone';
  /** Present while parts remain: a workspace has one such job at most. */
  open?: true;
  monitors: number;
  /** Ids in the request that are of no monitor. Absent in jobs of earlier versions. */
  not_found?: number;
  done: number;
  /** How many times in a row its next part could not be written, and when it is tried again. Absent before the first time. */
  failures?: number;
  retry_at_ms?: number;
  skipped: number;
  actor: JobActor;
  requested_at_ms: number;
  finished_at_ms: number | null;
  undo: { actor: JobActor; on_conflict: 'refuse' | 'skip' | 'overwrite'; requested_at_ms: number } | null;
  undone_at_ms: number | null;
  /** Monitors that the undo left as they were. */
  kept: number;
  /** Monitors that the undo created again without channels that had been deleted. Absent if there are none. */
  without_channels?: number;
  /** Skipped and kept monitors and those without channels, once the items are deleted. */
  exceptions?: BulkException[];
  /** Whether the items, with the images of the monitors, are stored. */
  has_items: boolean;
  /** Size of the images, as computed when the change was accepted. Absent in jobs of earlier versions. */
  image_bytes?: number;
  /** Part of it: of images with secrets. Absent in jobs of earlier versions. */
  secret_image_bytes?: number;
  /** When the items are no longer needed; null while parts remain. Absent in jobs that earlier versions ended. */
  clean_at_ms?: number | null;
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
  /** Why it was skipped or kept, or why it was undone only in part. */
  reason: string | null;
  /** The same with a code, for pages in other languages. Absent in items of earlier versions. */
  error?: FieldError;
  /** What the operation changed of it, as it was before. */
  image: MonitorImage | null;
  /**
   * The version that the operation wrote; null for a deleted monitor. When a later bulk change is undone, which makes the
   * monitor again what it was in this version, it is the version that this undo wrote.
   */
  version: number | null;
  /** The version that the operation found. Absent before it, for new monitors, and in items of earlier versions. */
  found_version?: number;
  expires_at: Date;
}

/** A monitor that an undo made what it was in the version `from`. Now it has the version `to`. */
export interface RestoredVersion {
  monitorId: string;
  from: number;
  to: number;
}

/** What the undo of bulk changes needs. */
export interface KeptImages {
  monitors: number;
  bytes: number;
  /** Part of `bytes`: of images with secrets. */
  secretBytes: number;
}
