import type { LocationDocument } from '../documents.js';

const BUILT_IN: readonly { code: string; city: string; region: string }[] = [
  { code: 'fra', city: 'Frankfurt', region: 'EU-Central' },
  { code: 'nyc', city: 'New York', region: 'US-East' },
  { code: 'sin', city: 'Singapore', region: 'Asia-Pacific' },
  { code: 'lon', city: 'London', region: 'EU-West' },
  { code: 'sfo', city: 'San Francisco', region: 'US-West' },
];

/** Returns the documents of the locations that every installation has. */
export function builtInLocations(nowMs: number): LocationDocument[] {
  return BUILT_IN.map(({ code, city, region }, position) => ({
    _id: code,
    city,
    region,
    canary_targets: [],
    position,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  }));
}
