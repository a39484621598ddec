import { read, write } from '../../storage.ts';

const KEY = 'picket.navigation';
const NARROW = 'narrow';

/** Whether the person has reduced the navigation to icons. */
export function isNavNarrow(): boolean {
  return read(KEY) === NARROW;
}

export function keepNavNarrow(isNarrow: boolean): void {
  write(KEY, isNarrow ? NARROW : 'wide');
}
