import { readFileSync } from 'node:fs';

/** `scripts/package-agent.ts` replaces this with the version, because the packaged agent has no package.json. */
declare const PICKET_VERSION: string | undefined;

export function picketVersion(): string {
  if (typeof PICKET_VERSION === 'string') return PICKET_VERSION;
  // `scripts/build` copies package.json next to the compiled folders, so that the path is the same there.
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
