import type { Inventory } from '../proto/generated/picket/link/v1/Inventory.js';

/** The share of a disk's size by which its use must change. Samples carry the exact use, so a small change can wait. */
const DISK_CHANGE_RATIO = 0.01;

/** Returns whether the inventory changed enough to be sent again. */
export function hasChanged(sent: Inventory, now: Inventory): boolean {
  return JSON.stringify(withoutDrift(sent)) !== JSON.stringify(withoutDrift(now)) || diskUseChanged(sent, now);
}

/** Returns the inventory without fields that drift: the boot time by clock corrections, disks as they are used. */
function withoutDrift(inventory: Inventory): Inventory {
  const disks = (inventory.disks ?? []).map((disk) => ({ ...disk, usedBytes: 0, availableBytes: 0 }));
  return { ...inventory, bootedAtMs: 0, disks };
}

function diskUseChanged(sent: Inventory, now: Inventory): boolean {
  return (now.disks ?? []).some((disk, index) => {
    const before = Number(sent.disks?.[index]?.usedBytes ?? 0);
    return Math.abs(Number(disk.usedBytes) - before) >= Number(disk.sizeBytes) * DISK_CHANGE_RATIO;
  });
}
