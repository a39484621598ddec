import type { FieldError } from '../../errors.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { MonitorOperation, RevivedMonitor } from '../../monitors/monitors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { BulkItemDocument, BulkJobDocument } from '../documents.js';
import type { BulkNeeds } from '../needs.js';
import { operationOf } from '../start.js';

/** Returns those of the channels that a part of a job would write which have been deleted since the job was accepted. */
export async function goneChannels(
  needs: BulkNeeds,
  tx: Transaction,
  job: BulkJobDocument,
  items: readonly BulkItemDocument[],
): Promise<ReadonlySet<string>> {
  const named = new Set(
    job.state === 'applying' ? channelsOf(operationOf(needs, job)) : items.flatMap((item) => imageChannels(item)),
  );
  return named.size === 0 ? named : new Set(await needs.monitors.unknownChannels(tx, job.workspace_id, [...named]));
}

function channelsOf(operation: MonitorOperation): readonly string[] {
  return operation.type === 'set' ? (operation.fields.channels ?? []) : [];
}

function imageChannels({ image }: BulkItemDocument): readonly string[] {
  if (image?.of === 'settings') return image.fields.channels ?? [];
  return image?.of === 'monitor' ? (image.monitor.channels ?? []) : [];
}

/** Returns why the operation can no longer be applied; null if it can. Pure. */
export function goneFromOperation(operation: MonitorOperation, gone: ReadonlySet<string>): FieldError | null {
  return firstGone(channelsOf(operation), gone);
}

/** Returns why the settings of the item cannot be restored; null if they can. Pure. */
export function goneFromImage(item: BulkItemDocument, gone: ReadonlySet<string>): FieldError | null {
  return item.image?.of === 'settings' ? firstGone(imageChannels(item), gone) : null;
}

function firstGone(channels: readonly string[], gone: ReadonlySet<string>): FieldError | null {
  const index = channels.findIndex((id) => gone.has(id));
  if (index < 0) return null;
  return { path: `/channels/${index}`, message: 'was deleted in the meantime', code: 'unknown_channel' };
}

/** Returns a deleted monitor as it can be created again: a monitor is worth more than its deleted channels. Pure. */
export function withoutGone(monitor: MonitorDocument, gone: ReadonlySet<string>): RevivedMonitor {
  const removedChannels = (monitor.channels ?? []).filter((id) => gone.has(id));
  if (removedChannels.length === 0) return { image: monitor, removedChannels };
  const channels = (monitor.channels ?? []).filter((id) => !gone.has(id));
  return { image: { ...monitor, channels }, removedChannels };
}

/** Returns what a person should know of a monitor that comes back without channels; null if it has all of them. Pure. */
export function withoutChannels({ image, removedChannels }: RevivedMonitor): FieldError | null {
  if (removedChannels.length === 0) return null;
  if (image.channels?.length === 0) {
    const message = 'It exists again, but notifies nobody, because its channels were deleted in the meantime.';
    return { path: '', message, code: 'notifies_nobody' };
  }
  const message = 'It exists again, without the channels that were deleted in the meantime.';
  return { path: '', message, code: 'channels_gone' };
}
