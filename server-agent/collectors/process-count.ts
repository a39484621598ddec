import { processIds } from './machine.js';
import type { SystemFiles } from './system-files.js';

/** The initial pid namespace. In any other namespace, the link count of /proc includes processes outside it. */
const INITIAL_NAMESPACE = 'pid:[4026531836]';
/** After this many uses of the link count, the processes are listed again. */
const USES_MAX = 30;
const TRIES_MAX = 3;

/**
 * Returns a function that counts the processes. Listing them takes a millisecond per hundred, but the link count of
 * /proc is the number of its subdirectories: the processes, and others whose number hardly changes. So a list is only
 * read from time to time, to count those others.
 */
export function createProcessCount(files: SystemFiles): () => number | null {
  /** Subdirectories of /proc that are not processes; null if the link count cannot be used. */
  let others: number | null = null;
  let uses = 0;

  function linkCountIsComplete(): boolean {
    const mounts = files.readOptional('/proc/self/mountinfo') ?? '';
    return files.link('/proc/self/ns/pid') === INITIAL_NAMESPACE && !/ \/proc .*hidepid=/.test(mounts);
  }

  function count(): number | null {
    for (let tries = 1; ; tries++) {
      const before = files.linkCount('/proc');
      const listed = processIds(files)?.length ?? null;
      if (listed === null) return null;
      // If a process starts or ends while the list is read, the two numbers do not match.
      const steady = before !== null && before === files.linkCount('/proc');
      others = steady && linkCountIsComplete() ? before - listed : null;
      if (steady || tries === TRIES_MAX) return listed;
    }
  }

  return () => {
    uses += 1;
    const links = others === null || uses > USES_MAX ? null : files.linkCount('/proc');
    if (links !== null && others !== null) return links - others;
    uses = 0;
    return count();
  };
}
