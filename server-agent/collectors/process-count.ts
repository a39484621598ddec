import { processIds } from './machine.js';
import type { SystemFiles } from './system-files.js';

/** The name of the process namespace that a machine begins with. In any other one /proc counts the others', too. */
const FIRST_NAMESPACE = 'pid:[4026531836]';
/** Then it is counted anew, whatever it was. */
const USES_MAX = 30;
const TRIES_MAX = 3;

/**
 * How many processes there are. A list of them costs a millisecond for every hundred; the kernel also shows their
 * number in the link count of /proc, which is that of the folders in it, and that of the other folders hardly changes.
 */
export function createProcessCount(files: SystemFiles): () => number | null {
  /** Folders of /proc that are no processes. */
  let others: number | null = null;
  let uses = 0;

  function showsNumber(): boolean {
    const mounts = files.readIfThere('/proc/self/mountinfo') ?? '';
    return files.link('/proc/self/ns/pid') === FIRST_NAMESPACE && !/ \/proc .*hidepid=/.test(mounts);
  }

  function count(): number | null {
    for (let tries = 1; ; tries++) {
      const before = files.links('/proc');
      const listed = processIds(files)?.length ?? null;
      if (listed === null) return null;
      // One that comes or goes meanwhile would be taken for a folder.
      const steady = before !== null && before === files.links('/proc');
      others = steady && showsNumber() ? before - listed : null;
      if (steady || tries === TRIES_MAX) return listed;
    }
  }

  return () => {
    uses += 1;
    const links = others === null || uses > USES_MAX ? null : files.links('/proc');
    if (links !== null && others !== null) return links - others;
    uses = 0;
    return count();
  };
}
