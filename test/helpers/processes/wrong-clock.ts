/** Returns the settings of a process on a machine whose clock is ahead by `aheadMs`. */
export function wrongClock(aheadMs: number): Record<string, string> {
  const code = `const now=Date.now;Date.now=()=>now()+${aheadMs}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
