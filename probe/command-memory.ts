import type { RunNow__Output } from '../proto/generated/picket/link/v1/RunNow.js';

/** Commands that are remembered. The control plane does not repeat an older one. */
const COMMANDS_MAX = 10_000;

/** Returns a function that remembers commands and returns false for one that it has seen before. */
export function createCommandMemory(): (command: RunNow__Output) => boolean {
  const seen = new Set<string>();
  return (command) => {
    const key = `${command.monitorId} ${command.slotMs}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (seen.size > COMMANDS_MAX) {
      for (const oldest of seen) {
        seen.delete(oldest);
        break;
      }
    }
    return true;
  };
}
