/** Returns the selectors as they are stored: in lower case and without duplicates, because DNS does not tell cases apart. */
export function canonicalSelectors(selectors: readonly string[]): string[] {
  return [...new Set(selectors.map((selector) => selector.toLowerCase()))];
}
