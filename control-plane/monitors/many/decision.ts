import type { AuditEvent } from '../../audit/audit.js';
import type { FieldError } from '../../errors.js';
import type { MonitorChange, MonitorDocument } from '../documents.js';
import type { UpdateMonitor } from '../settings/schema.js';
import type { SettingsImage } from './settings-image.js';

/** A change of one stored monitor that is decided and not yet written. */
export interface PlannedChange {
  /** As read in the transaction that writes the change. */
  monitor: MonitorDocument;
  /** null: the monitor is deleted. */
  change: MonitorChange | null;
  /** The audit entry of the change. */
  event: AuditEvent;
  /** How the change ends the unresolved incident of the monitor. With a `kind`, only one of that kind. null: not at all. */
  ends: { resolution: string; message: string; kind: string | null } | null;
}

/** What is done with each monitor of a selection. */
export type MonitorOperation =
  | { type: 'set'; fields: UpdateMonitor }
  | { type: 'add_tags' | 'remove_tags'; tags: readonly string[] }
  | { type: 'pause' | 'resume' }
  /** `detach`: also removes the monitors from everything that names them. */
  | { type: 'delete'; detach?: boolean };

/** Changed fields as people may see them: without secrets. */
export type ShownChanges = Record<string, { from: unknown; to: unknown }>;

/** What an operation means for one monitor. Nothing is written yet. */
export type MonitorDecision =
  | { kind: 'unchanged' }
  | { kind: 'refused'; code: 'validation_failed' | 'plan_limit'; errors: readonly FieldError[] }
  // Whoever only shows the changes of 10,000 monitors does not need what would be written.
  | { kind: 'changed'; plan(): PlannedChange; image(): MonitorImage; changes: ShownChanges };

/** What the undo of an operation means for one monitor. Nothing is written yet. */
export type UndoDecision =
  | { kind: 'changed'; planned: PlannedChange | null }
  | { kind: 'refused'; reason: string; error: FieldError };

/**
 * What an operation changed of a monitor, as it was before, to undo the operation later. Secrets are sealed, as in the
 * monitor. `created`: the operation created the monitor.
 */
export type MonitorImage =
  | SettingsImage
  | { of: 'pause'; paused_at_ms: number | null }
  | { of: 'monitor'; monitor: MonitorDocument }
  | { of: 'created' };

/** Deletions whose monitors nothing names any more, and why others cannot be written, by monitor. */
export interface EndedReferences {
  planned: Map<string, PlannedChange>;
  refused: Map<string, FieldError>;
}
