import { read, write } from '../storage.ts';

export type ColourScheme = 'light' | 'dark' | 'system';

const KEY = 'picket.colours';

/** What the person chose; `system` follows the device. */
export function chosenScheme(): ColourScheme {
  const stored = read(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function chooseScheme(scheme: ColourScheme): void {
  write(KEY, scheme);
  applyScheme();
}

/** Returns the scheme that the page has now. */
export function shownScheme(): 'light' | 'dark' {
  const chosen = chosenScheme();
  if (chosen !== 'system') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** Mantine and the tokens read the scheme from this attribute. */
function applyScheme(): void {
  document.documentElement.setAttribute('data-mantine-color-scheme', shownScheme());
}

/** Applies the scheme now and whenever the device changes it. */
export function followScheme(): void {
  applyScheme();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyScheme);
}
