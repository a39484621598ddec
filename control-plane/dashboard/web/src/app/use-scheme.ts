import { useSyncExternalStore } from 'react';
import { shownScheme } from '../theme/colour-scheme.ts';

/** Returns the colours that the page has, for Mantine. */
export function useScheme(): 'light' | 'dark' {
  return useSyncExternalStore((listener) => {
    const observer = new MutationObserver(listener);
    observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
    return () => observer.disconnect();
  }, shownScheme);
}
