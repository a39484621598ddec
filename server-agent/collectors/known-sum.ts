/** Returns the sum of the numbers that are known; NaN if none is. */
export function sumOfKnown(numbers: readonly number[]): number {
  const known = numbers.filter((number) => !Number.isNaN(number));
  return known.length === 0 ? Number.NaN : known.reduce((sum, number) => sum + number, 0);
}
