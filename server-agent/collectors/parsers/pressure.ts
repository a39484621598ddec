/** Returns the `some avg10` value: the percentage of the last ten seconds in which at least one task had to wait. */
export function parsePressure(text: string): number | null {
  const found = /^some avg10=([\d.]+)/m.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
