import type { QueryClient } from '@tanstack/react-query';
import type { AnyRoute } from '@tanstack/react-router';
import type { Account } from '../api/types.ts';
import type { PalettePart } from './palette/kind.ts';

/** An entry of the main navigation. */
export interface NavEntry {
  label: string;
  to: string;
  /** An SVG path in a box of 16 by 16, drawn with a stroke. */
  icon: string;
  isExact: boolean;
  /** Whether it is in the bar at the bottom of phones, which has room for five; the others are behind "More". */
  isOnPhones: boolean;
}

/** An entry in the second column of the settings. */
export interface SettingsEntry {
  label: string;
  to: string;
  group: 'person' | 'workspace' | 'operator';
  /** Whether the person sees it; the API decides in the end. */
  isFor(account: Account): boolean;
}

/** What routes can be below. */
export interface Parents {
  frame: AnyRoute;
  /** The page with the second column of the settings. */
  settings: AnyRoute;
  /** For routes that begin to read before their page is drawn. */
  queries: QueryClient;
}

/** The pages of one part of the product. A part is a folder in `parts/` and one entry in `app/parts.ts`. */
export interface Part {
  /** Its entry in the navigation; null without one. */
  nav: NavEntry | null;
  settings: readonly SettingsEntry[];
  routes(parents: Parents): AnyRoute[];
  /** Loads what it adds to the search of Ctrl-K; null for nothing. */
  palette: (() => Promise<PalettePart>) | null;
}
