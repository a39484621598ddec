import { AppError } from '../errors.js';
import type { MonitorImage } from '../monitors/monitors.js';
import type { Transaction } from '../storage/transaction.js';
import type { KeptImages } from './documents.js';
import type { BulkNeeds } from './needs.js';
import { imageBytes } from './store.js';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** For how long a bulk change can be undone. */
export const UNDO_MS = DAY_MS;
/** Monitors of which a workspace keeps images, of all its bulk changes together. */
const KEPT_MONITORS_MAX = 100_000;
/** Size of these images as stored. */
const KEPT_BYTES_MAX = 64 * MIB;
/** Size of those of them that have secrets, whose protection is that few of them lie around. */
const KEPT_SECRET_BYTES_MAX = 32 * MIB;
/** Bulk changes of a workspace in 24 hours. An undo is none. */
const CHANGES_PER_DAY_MAX = 1_000;

export const NO_IMAGES: KeptImages = { monitors: 0, bytes: 0, secretBytes: 0 };

/** Returns the sum with a further image. */
export function withImage(kept: KeptImages, image: MonitorImage): KeptImages {
  const bytes = imageBytes(image);
  return {
    monitors: kept.monitors + 1,
    bytes: kept.bytes + bytes,
    secretBytes: kept.secretBytes + (hasSecrets(image) ? bytes : 0),
  };
}

function hasSecrets(image: MonitorImage): boolean {
  if (image.of === 'settings') return image.sealed !== null;
  // Without `sealed`, an earlier version stored the monitor with open secrets.
  return image.of === 'monitor' && image.monitor.sealed !== null;
}

/** Throws 409 when the images of another change would be too many or too large for the workspace. */
export async function requireRoomForImages(
  { store }: Pick<BulkNeeds, 'store'>,
  tx: Transaction,
  workspaceId: string,
  adding: KeptImages,
): Promise<void> {
  const kept = await store.keptImages(tx, workspaceId);
  const refuse = (needed: string, allowed: string, used: string): never => {
    const advice = 'Change fewer monitors at a time, or wait: what an undo needs is dropped 24 h after the change.';
    const detail = `Nothing was changed. To undo this change, Picket would have to keep ${needed}. It keeps at most ${allowed} for each workspace, and ${used} are in use.`;
    throw new AppError('conflict', `${detail} ${advice}`);
  };
  if (kept.monitors + adding.monitors > KEPT_MONITORS_MAX) {
    const [needed, allowed, used] = [adding.monitors, KEPT_MONITORS_MAX, kept.monitors].map((n) =>
      n.toLocaleString('en-US'),
    );
    refuse(`the settings of ${needed} monitors`, `${allowed}`, `${used}`);
  }
  if (kept.bytes + adding.bytes > KEPT_BYTES_MAX) {
    refuse(`${mib(adding.bytes)} of settings`, mib(KEPT_BYTES_MAX), mib(kept.bytes));
  }
  if (kept.secretBytes + adding.secretBytes > KEPT_SECRET_BYTES_MAX) {
    refuse(`${mib(adding.secretBytes)} of settings with secrets`, mib(KEPT_SECRET_BYTES_MAX), mib(kept.secretBytes));
  }
}

/** Throws 429 when the workspace has made as many bulk changes within 24 hours as it may. */
export async function requireChangeToday(
  { store, clock }: Pick<BulkNeeds, 'store' | 'clock'>,
  tx: Transaction,
  workspaceId: string,
): Promise<void> {
  const oldestMs = await store.requestedAt(tx, workspaceId, CHANGES_PER_DAY_MAX);
  const waitMs = oldestMs === null ? 0 : oldestMs + DAY_MS - clock.now();
  if (waitMs <= 0) return;
  const allowed = CHANGES_PER_DAY_MAX.toLocaleString('en-US');
  const detail = `This workspace has made ${allowed} bulk changes within 24 hours, and more are not allowed. Change more monitors at a time. Changes that were made can still be undone.`;
  throw new AppError('rate_limited', detail, { headers: { 'Retry-After': String(Math.ceil(waitMs / 1_000)) } });
}

function mib(bytes: number): string {
  if (bytes < MIB) return `${Math.ceil(bytes / 1024)} KiB`;
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
