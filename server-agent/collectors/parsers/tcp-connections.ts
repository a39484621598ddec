/**
 * Returns the number of established connections over IPv4 and IPv6 in `/proc/net/snmp`: the kernel's own count, which
 * `ss -s` shows, too. It includes connections that the other side has closed (CLOSE_WAIT). Reading it takes one line,
 * however many connections there are.
 */
export function parseEstablished(snmp: string): number | null {
  const [names, numbers] = snmp.split('\n').filter((line) => line.startsWith('Tcp: '));
  const index = names?.split(' ').indexOf('CurrEstab') ?? -1;
  const value = index < 0 ? undefined : numbers?.split(' ')[index];
  return value === undefined ? null : Number(value);
}
