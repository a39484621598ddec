import type { Account } from '../api/types.ts';
import { texts } from '../texts/app/texts.ts';
import type { NavEntry, SettingsEntry } from './part.ts';
import { PARTS } from './parts.ts';

/** The first entry of those that are about Picket itself. They are the last ones. */
export const FIRST_APART = '/audit';

/** The settings belong to many parts. Everybody has some: those of their own account. */
const SETTINGS: NavEntry = {
  label: texts.frame.settings,
  to: '/settings',
  icon: 'M2 4.5h5M11 4.5h3M2 11.5h2M8 11.5h6M9 2.5v4M6 9.5v4',
  isExact: false,
  isOnPhones: false,
};

/** Returns the entries of the main navigation, in order. */
export function navEntries(): readonly NavEntry[] {
  return [...PARTS.flatMap(({ nav }) => (nav === null ? [] : [nav])), SETTINGS];
}

/** Returns the pages of the settings that the person sees. */
export function settingsEntries(account: Account): readonly SettingsEntry[] {
  return PARTS.flatMap(({ settings }) => settings).filter(({ isFor }) => isFor(account));
}
