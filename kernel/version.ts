import { readFileSync } from 'node:fs';

/** `scripts/package-agent` puts the version in its place: what that makes has no package.json beside it. */
declare const PICKET_VERSION: string | undefined;

export function picketVersion(): string {
  if (typeof PICKET_VERSION === 'string') return PICKET_VERSION;
  // `scripts/build` copies package.json beside the compiled folders, so that both layouts find it here.
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
