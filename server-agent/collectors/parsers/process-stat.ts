/** The fields of `/proc/<pid>/stat` that the agent uses. */
export interface ProcessStat {
  /** The command name, at most 15 characters. The command line is never read, because it may contain secrets. */
  name: string;
  /** User and system time, in ticks of 1/100 s. */
  cpuTicks: number;
  /** Start of the process, in ticks since the start of the machine. */
  startedTicks: number;
  residentPages: number;
}

/** Returns null for an invalid line. The name is in parentheses and may contain any character, also parentheses. */
export function parseProcessStat(text: string): ProcessStat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  // The first field in this array is the third field of the line.
  const fields = text.slice(close + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  const stat = {
    name: text.slice(open + 1, close),
    cpuTicks: field(14) + field(15),
    startedTicks: field(22),
    residentPages: field(24),
  };
  return Number.isFinite(stat.cpuTicks + stat.startedTicks + stat.residentPages) ? stat : null;
}
