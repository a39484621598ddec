/** Returns the interface of the default route with the lowest metric in `/proc/net/route`; null without one. */
export function defaultInterface(text: string): string | null {
  const defaults = fieldsOf(text).filter((route) => route[1] === '00000000' && route[7] === '00000000');
  return defaults.sort((a, b) => Number(a[6]) - Number(b[6]))[0]?.[0] ?? null;
}

/** Returns the interface of the default route in `/proc/net/ipv6_route`; null without one. */
export function defaultInterface6(text: string): string | null {
  const isDefault = (route: string[]) => /^0{32}$/.test(route[0] ?? '') && route[1] === '00' && route[9] !== 'lo';
  return fieldsOf(text).find(isDefault)?.[9] ?? null;
}

function fieldsOf(text: string): string[][] {
  return text.split('\n').map((line) => line.trim().split(/\s+/));
}
