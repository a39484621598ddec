import { release } from 'node:os';

/** Properties of a server that do not change while it runs. Unknown ones are empty. */
export interface ServerDetails {
  os: string;
  kernel: string;
  architecture: string;
  cpuModel: string;
  virtualization: string;
}

const FIELDS = ['os', 'kernel', 'architecture', 'cpuModel', 'virtualization'] as const;

/** Returns what is known without running other programs. */
export function basicDetails(): ServerDetails {
  return { os: process.platform, kernel: release(), architecture: process.arch, cpuModel: '', virtualization: '' };
}

/** Parses the JSON that the child process prints. Returns null if it is incomplete or invalid. */
export function parseDetails(text: string): ServerDetails | null {
  try {
    const fields: Record<string, unknown> = { ...JSON.parse(text) };
    const details = basicDetails();
    for (const name of FIELDS) {
      const value = fields[name];
      if (typeof value !== 'string') return null;
      details[name] = value;
    }
    return details;
  } catch {
    return null;
  }
}
