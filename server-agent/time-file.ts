import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../kernel/logger.js';

/** What an agent knows about the control plane's clock. */
export interface KnownTime {
  /** How far the control plane's clock is ahead of this machine's wall clock, in milliseconds. */
  aheadMs: number;
  /** The boot in which `bootedAtMs` is valid. Empty if the system has no boot ids. */
  bootId: string;
  /** When the boot clock was at zero, in epoch milliseconds of the control plane's clock. */
  bootedAtMs: number;
  /** The timestamp of the newest sample. */
  stampedMs: number;
}

/** Keeps the known time across restarts. It is not synced to disk, because the control plane can send it again. */
export interface TimeFile {
  load(): KnownTime | null;
  save(known: KnownTime): void;
}

export function createTimeFile(needs: { directory: string; logger: Logger }): TimeFile {
  const path = join(needs.directory, 'time.json');
  let warned = false;
  return {
    load() {
      try {
        return parseKnownTime(readFileSync(path, 'utf8'));
      } catch {
        // The file is missing or truncated, so the agent waits for the control plane's time.
        return null;
      }
    },
    save(known) {
      try {
        writeFileSync(`${path}.tmp`, `${JSON.stringify(known)}\n`, { mode: 0o600 });
        renameSync(`${path}.tmp`, path);
      } catch (error) {
        if (!warned) needs.logger.warn({ err: error }, 'failed to save the known time, retrying every minute');
        warned = true;
      }
    },
  };
}

/** Returns null if the file has other content. */
function parseKnownTime(text: string): KnownTime | null {
  const { aheadMs, bootId, bootedAtMs, stampedMs }: Record<string, unknown> = { ...JSON.parse(text) };
  if (typeof bootId !== 'string' || !isNumber(aheadMs) || !isNumber(bootedAtMs) || !isNumber(stampedMs)) return null;
  return { aheadMs, bootId, bootedAtMs, stampedMs };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
