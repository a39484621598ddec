import type { Logger } from '../../kernel/logger.js';

/** Logs that something cannot be read: once for each `kind`, because every sample fails in the same way. Returns null. */
export type WarnUnreadable = (kind: string, error: unknown) => null;

export function createReadWarnings(logger: Logger): WarnUnreadable {
  const warned = new Set<string>();
  return (kind, error) => {
    if (warned.has(kind)) return null;
    warned.add(kind);
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn({ reason }, `cannot read ${kind}, leaving out its values`);
    return null;
  };
}
