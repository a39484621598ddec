import { notFound } from '@tanstack/react-router';

/** The characters of a ULID in lower case. */
const ULID = '[0-9a-hjkmnp-tv-z]{26}';

/**
 * Returns what a route does before it loads: an address whose part `name` is no id with one of these prefixes is no page.
 * The API would answer such a part with something else, for example `bulk` with the list of bulk changes.
 */
export function knownId(name: string, prefix: string) {
  const pattern = new RegExp(`^${prefix}_${ULID}$`);
  return ({ params }: { params: object }): void => {
    if (!pattern.test(String(Object(params)[name]))) throw notFound();
  };
}
