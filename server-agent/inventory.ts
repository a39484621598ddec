import { hostname } from 'node:os';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Inventory } from '../proto/generated/picket/link/v1/Inventory.js';
import type { Collector } from './collectors/collector.js';
import type { ServerDetails } from './details.js';
import { hasChanged } from './inventory-changes.js';

/** Sends the inventory of the server to the control plane: once per session, and when it changes. */
export interface InventorySender {
  /** Sends the inventory even if it has not changed, because a new session has no inventory yet. */
  send(): void;
  stop(): void;
}

export interface InventoryNeeds {
  collector: Collector;
  details: Promise<ServerDetails>;
  version: string;
  intervalMs: number;
  samplesDropped(): number;
  /** Returns the control plane's time. */
  nowMs(): number;
  send(inventory: Inventory): void;
  clock: Clock;
  logger: Logger;
}

/** One check reads a few files and calls `statfs` for each file system. */
const CHECK_PERIOD_MS = 60_000;

export function createInventorySender(needs: InventoryNeeds): InventorySender {
  const { collector, clock, logger } = needs;
  let sent: Inventory | null = null;

  async function read(): Promise<Inventory> {
    const details = await needs.details;
    return {
      ...details,
      ...(await collector.parts()),
      hostname: hostname(),
      agentVersion: needs.version,
      bootedAtMs: Math.round(needs.nowMs() - collector.uptimeSeconds() * 1000),
      sampleIntervalMs: needs.intervalMs,
      samplesDropped: needs.samplesDropped(),
    };
  }

  function check(sendAlways: boolean): void {
    read()
      .then((inventory) => {
        if (!sendAlways && sent !== null && !hasChanged(sent, inventory)) return;
        sent = inventory;
        needs.send(inventory);
      })
      .catch((error) => logger.error({ err: error }, 'failed to read the inventory, retrying within a minute'));
  }

  const timer = clock.every(CHECK_PERIOD_MS, () => check(false));
  return { send: () => check(true), stop: () => timer.cancel() };
}
