import type { ReactNode } from 'react';

/** Returns what is wrong with a field, or with something inside it such as its second entry. Pure. */
export function errorAt(errors: Readonly<Record<string, ReactNode>>, field: string): string | undefined {
  const found = Object.entries(errors).find(([path]) => path === field || path.startsWith(`${field}.`));
  return found === undefined ? undefined : String(found[1]);
}
