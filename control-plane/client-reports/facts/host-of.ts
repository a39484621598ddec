/** Returns the host of a target: `https://www.example.com/`, `www.example.com:25`, `[2001:db8::1]:25` or `192.0.2.1`. */
export function hostOf(target: string): string | null {
  const text = target.includes('://') ? target : `tcp://${/^[^[].*:.*:/.test(target) ? `[${target}]` : target}`;
  if (!URL.canParse(text)) return null;
  return new URL(text).hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
}
