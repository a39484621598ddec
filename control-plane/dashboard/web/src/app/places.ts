import type { Account } from '../api/types.ts';
import { texts } from '../texts/app/texts.ts';
import type { NavEntry } from './part.ts';
import { PARTS } from './parts.ts';

const SETTINGS: NavEntry = {
  label: texts.frame.settings,
  to: '/settings',
  icon: 'M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6M8 2.5v4M4.5 9.5v4',
  isExact: false,
  isOnPhones: false,
};

/** The first entry of those that are about Picket itself. They are the last ones. */
export const FIRST_APART = '/audit';

/** Returns the entries of the main navigation, in order. */
export function navEntries(account: Account | undefined): readonly NavEntry[] {
  const entries = PARTS.flatMap(({ nav }) => (nav === null ? [] : [nav]));
  const watched = entries.filter(({ to }) => to !== FIRST_APART);
  const hasSettings = account !== undefined && settingsEntries(account).length > 0;
  return [...watched, ...entries.filter((entry) => !watched.includes(entry)), ...(hasSettings ? [SETTINGS] : [])];
}

/** Returns the pages of the settings that the person sees. */
export function settingsEntries(account: Account) {
  return PARTS.flatMap(({ settings }) => settings).filter(({ isFor }) => isFor(account));
}
