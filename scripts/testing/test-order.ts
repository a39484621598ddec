/**
 * Decides which test file runs next. The numbers are for the two cores of CI, on which a file that computes takes 0.6 to 0.9
 * of a core and one that waits about 0.3.
 */

/** Files with a browser compute. Those that wait do it for intervals, time limits and other processes. */
type Kind = 'computes' | 'waits' | 'alone';

export interface Folder {
  /** The start of the path of its files. */
  path: string;
  kind: Kind;
  /** What its slowest files take beside three others. Those with more start first, so that none is left at the end. */
  seconds: number;
}

/** The first whose path fits holds for a file. */
export const FOLDERS: readonly Folder[] = [
  // They measure the whole machine or the time of a stop.
  { path: 'test/faults/hostile-clients.test.ts', kind: 'alone', seconds: 75 },
  { path: 'test/faults/server-agent/accuracy.test.ts', kind: 'alone', seconds: 15 },
  { path: 'test/faults/sign-in/shutdown.test.ts', kind: 'alone', seconds: 10 },
  { path: 'test/faults/product/openapi-fuzz.test.ts', kind: 'computes', seconds: 400 },
  { path: 'test/faults/', kind: 'waits', seconds: 170 },
  { path: 'test/system/product/openapi-fuzz.test.ts', kind: 'computes', seconds: 120 },
  { path: 'test/system/product/', kind: 'waits', seconds: 75 },
  { path: 'test/system/people/passkeys.test.ts', kind: 'computes', seconds: 20 },
  { path: 'test/system/dashboard/', kind: 'computes', seconds: 110 },
  { path: 'test/system/backup-jobs/', kind: 'computes', seconds: 40 },
  { path: 'test/system/client-reports/', kind: 'computes', seconds: 20 },
  { path: 'test/system/maintenance/pages.test.ts', kind: 'computes', seconds: 40 },
  { path: 'test/system/status-pages/export.test.ts', kind: 'computes', seconds: 40 },
  { path: 'test/system/status-pages/pages.test.ts', kind: 'computes', seconds: 40 },
  { path: 'test/system/wordpress/dashboard.test.ts', kind: 'computes', seconds: 40 },
  { path: 'test/system/', kind: 'waits', seconds: 70 },
  { path: 'test/api/', kind: 'computes', seconds: 40 },
  { path: 'test/', kind: 'computes', seconds: 15 },
];

/** Two of each kind fill both cores. More would bring files closer to their time limits without ending earlier. */
const BESIDE_THE_OTHER_KIND = 2;
/** Without the other kind, three that wait leave a core idle, but their peaks come together: all start a product. */
const OF_ONE_KIND = 3;

/** Returns the folder whose kind and duration hold for the file. */
export function folderOf(file: string): Folder {
  const folder = FOLDERS.find(({ path }) => file.startsWith(path));
  if (folder === undefined) throw new Error(`${file} is in no folder of tests`);
  return folder;
}

/** Returns the file that starts now beside those that run; undefined: none, until one of them ends. */
export function nextFile(waiting: readonly string[], running: readonly string[]): string | undefined {
  const kinds = running.map((file) => folderOf(file).kind);
  if (kinds.includes('alone')) return undefined;
  const left = new Set([...kinds, ...waiting.map((file) => folderOf(file).kind)]);
  const mayStart = (kind: Kind) => {
    if (kind === 'alone') return running.length === 0 && left.size === 1;
    const most = left.has('computes') && left.has('waits') ? BESIDE_THE_OTHER_KIND : OF_ONE_KIND;
    return kinds.filter((one) => one === kind).length < most;
  };
  let [slowest, seconds]: [string | undefined, number] = [undefined, 0];
  for (const file of waiting) {
    const folder = folderOf(file);
    if (folder.seconds > seconds && mayStart(folder.kind)) [slowest, seconds] = [file, folder.seconds];
  }
  return slowest;
}
