/** An API without a limit says so with a number that is never reached. */
const UNLIMITED_MIN = 1_000_000;

let perMinute: number | null = null;

/** Called with the head of every answer of the API. */
export function noteLimit(headers: Headers): void {
  const limit = Number(headers.get('ratelimit-limit'));
  if (limit > 0) perMinute = limit < UNLIMITED_MIN ? limit : null;
}

/** Returns how many requests a minute the API allows this person; null for any number. */
export function requestsPerMinute(): number | null {
  return perMinute;
}
