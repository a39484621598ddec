import type { Account } from '../api/types.ts';
import type { NavEntry, SettingsEntry } from './part.ts';
import { PARTS } from './parts.ts';

/** The first entry of those that are about Picket itself. They are the last ones. */
export const FIRST_APART = '/audit';

/** Returns the entries of the main navigation, in order. */
export function navEntries(): readonly NavEntry[] {
  return PARTS.flatMap(({ nav }) => (nav === null ? [] : [nav]));
}

/** Returns the pages of the settings that the person sees. */
export function settingsEntries(account: Account): readonly SettingsEntry[] {
  return PARTS.flatMap(({ settings }) => settings).filter(({ isFor }) => isFor(account));
}
