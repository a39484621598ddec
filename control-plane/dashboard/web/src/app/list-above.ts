interface Place {
  label: string;
  to: string;
}

/**
 * Returns the page that has a list of what an address was to show, such as `/incidents` for `/incidents/nonsense`; null
 * for none. Pure.
 */
export function listAbove(path: string, places: readonly Place[]): Place | null {
  const above = places.filter(({ to }) => to !== '/' && path.startsWith(`${to}/`));
  // `/settings/channels` is nearer than `/settings`.
  return above.reduce<Place | null>(
    (best, one) => (best === null || one.to.length > best.to.length ? one : best),
    null,
  );
}
