import type { AdminLocation } from '../../../api/types.ts';

/** What the form of a location has; canary targets are one in a line. */
export interface LocationValues extends Record<string, unknown> {
  city: string;
  region: string;
  canary_targets: string;
}

export const LOCATION_FIELDS = ['city', 'region', 'canary_targets'] as const;

export function valuesOf({ city, region, canary_targets }: AdminLocation): LocationValues {
  return { city, region, canary_targets: canary_targets.join('\n') };
}

/** Returns the fields of a request. */
export function bodyOf({ city, region, canary_targets }: LocationValues) {
  const targets = canary_targets.split('\n').map((line) => line.trim());
  return { city: city.trim(), region: region.trim(), canary_targets: targets.filter((line) => line !== '') };
}

/** The API names one line of a list, `canary_targets.2`; the form has one field for all. */
export function canaryError(errors: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(errors).find(([field]) => field.startsWith('canary_targets'));
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}
