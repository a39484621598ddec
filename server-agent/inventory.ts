import { hostname } from 'node:os';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Inventory } from '../proto/generated/picket/link/v1/Inventory.js';
import type { Collector } from './collectors/collector.js';
import type { ServerDetails } from './details.js';

/** Tells the control plane what the server is made of: once for each session, and when that changes. */
export interface InventoryTeller {
  /** A session begins, or the last one is one on which nothing was told. */
  tell(): void;
  stop(): void;
}

/** Some files and a `statfs` for each file system. */
const LOOK_PERIOD_MS = 60_000;
/** What a disk holds changes all the time; a report has the exact figure. */
const DISK_CHANGE_PART = 0.01;

export function createInventoryTeller(options: {
  collector: Collector;
  details: Promise<ServerDetails>;
  version: string;
  intervalMs: number;
  reportsDropped(): number;
  /** Control plane's time. */
  nowMs(): number;
  send(inventory: Inventory): void;
  clock: Clock;
  logger: Logger;
}): InventoryTeller {
  const { collector, clock, logger } = options;
  let told: Inventory | null = null;

  async function read(): Promise<Inventory> {
    const details = await options.details;
    return {
      ...details,
      ...(await collector.parts()),
      hostname: hostname(),
      agentVersion: options.version,
      bootedAtMs: Math.round(options.nowMs() - collector.uptimeSeconds() * 1000),
      reportIntervalMs: options.intervalMs,
      reportsDropped: options.reportsDropped(),
    };
  }

  function look(always: boolean): void {
    read()
      .then((inventory) => {
        if (!always && told !== null && isSame(told, inventory)) return;
        told = inventory;
        options.send(inventory);
      })
      .catch((error) => logger.error({ err: error }, 'the inventory cannot be read'));
  }

  const timer = clock.every(LOOK_PERIOD_MS, () => look(false));
  return { tell: () => look(true), stop: () => timer.cancel() };
}

/** Whether nothing changed that is worth a message. */
export function isSame(told: Inventory, now: Inventory): boolean {
  return JSON.stringify(withoutUse(told)) === JSON.stringify(withoutUse(now)) && !diskMoved(told, now);
}

/** Without what moves by itself: the boot time by the correction of clocks, disks as they are used. */
function withoutUse(inventory: Inventory): Inventory {
  const disks = (inventory.disks ?? []).map((disk) => ({ ...disk, usedBytes: 0, availableBytes: 0 }));
  return { ...inventory, bootedAtMs: 0, disks };
}

function diskMoved(told: Inventory, now: Inventory): boolean {
  return (now.disks ?? []).some((disk, at) => {
    const before = Number(told.disks?.[at]?.usedBytes ?? 0);
    return Math.abs(Number(disk.usedBytes) - before) >= Number(disk.sizeBytes) * DISK_CHANGE_PART;
  });
}
