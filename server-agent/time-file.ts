import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../kernel/logger.js';

/** What an agent knew of the control plane's clock. */
export interface KnownTime {
  /** Milliseconds that it is ahead of this machine's wall clock. */
  aheadMs: number;
  /** The start of the machine in which this holds; empty where the system has no name for it. */
  bootId: string;
  /** Epoch milliseconds, on the control plane's clock, at which the boot clock stood at zero. */
  bootedAtMs: number;
  /** The time of the newest report. */
  stampedMs: number;
}

/** Keeps it over a restart. Nothing is lost that a control plane would not tell again, so no disk is waited for. */
export interface TimeFile {
  load(): KnownTime | null;
  save(known: KnownTime): void;
}

export function createTimeFile(options: { directory: string; logger: Logger }): TimeFile {
  const path = join(options.directory, 'time.json');
  let complained = false;
  return {
    load() {
      try {
        return parseKnownTime(readFileSync(path, 'utf8'));
      } catch {
        // None yet, or one that was cut off: then the control plane has to tell.
        return null;
      }
    },
    save(known) {
      try {
        writeFileSync(`${path}.tmp`, `${JSON.stringify(known)}\n`, { mode: 0o600 });
        renameSync(`${path}.tmp`, path);
      } catch (error) {
        if (!complained) options.logger.warn({ err: error }, 'what is known of the time cannot be kept');
        complained = true;
      }
    },
  };
}

/** null for what is no such file. */
export function parseKnownTime(text: string): KnownTime | null {
  const { aheadMs, bootId, bootedAtMs, stampedMs }: Record<string, unknown> = { ...JSON.parse(text) };
  if (typeof bootId !== 'string' || !isNumber(aheadMs) || !isNumber(bootedAtMs) || !isNumber(stampedMs)) return null;
  return { aheadMs, bootId, bootedAtMs, stampedMs };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
