import { invalidField } from '../../../errors.js';

/** Returns the canonical name of a time zone of the IANA database. Throws 422 for other text; `path` is that of the field. */
export function timeZoneOf(name: string, path: string): string {
  try {
    // Offsets such as `+02:00` are accepted too, but have no summer time.
    if (/^[A-Za-z]/.test(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    // Refused below.
  }
  throw invalidField(path, 'must be a time zone of the IANA database, such as Europe/Berlin');
}
