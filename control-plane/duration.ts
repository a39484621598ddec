/** `4 min 12 s`, `2 h 5 min`, `3 d 4 h`: the two largest units. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  const units: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = units.findIndex(([value]) => value > 0);
  if (first === -1) return '0 s';
  const parts = units.slice(first, first + 2).filter(([value]) => value > 0);
  return parts.map(([value, unit]) => `${value} ${unit}`).join(' ');
}
