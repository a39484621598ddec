const UNITS = { d: 'd', h: 'h', min: 'min', s: 's' };

/** `4 min 12 s`, `2 h 5 min`, `3 d 4 h`: the two largest units. */
export function duration(milliseconds: number): string {
  return durationIn(UNITS, milliseconds);
}

/** As `duration`, with the units of a language. */
export function durationIn(unitNames: typeof UNITS, milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), unitNames.d],
    [Math.floor(seconds / 3_600) % 24, unitNames.h],
    [Math.floor(seconds / 60) % 60, unitNames.min],
    [seconds % 60, unitNames.s],
  ];
  const first = units.findIndex(([value]) => value > 0);
  if (first === -1) return `0 ${unitNames.s}`;
  const parts = units.slice(first, first + 2).filter(([value]) => value > 0);
  return parts.map(([value, unit]) => `${value} ${unit}`).join(' ');
}
