import { readFile } from 'node:fs/promises';

/**
 * Resolves to the number of files and connections that this process may open at once; null without a limit, and where the system
 * does not say it. Node.js raises the soft limit to the hard one when it starts, so this is the hard limit. Linux has `limitsFile`
 * for each process (proc(5)).
 */
export async function readDescriptorsMax(limitsFile = '/proc/self/limits'): Promise<number | null> {
  const limits = await readFile(limitsFile, 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)\s/m.exec(limits) ?? [];
  return soft === undefined ? null : Number(soft);
}
