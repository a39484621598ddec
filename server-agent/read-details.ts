import { cpu, osInfo, system } from 'systeminformation';
import type { ServerDetails } from './details.js';

/** Reads the details. It runs programs of the system, which takes time and memory: see `details-process.ts`. */
export async function readDetails(): Promise<ServerDetails> {
  const [os, processor, machine] = await Promise.all([osInfo(), cpu(), system()]);
  const codename = os.codename === '' || os.distro.includes(os.codename) ? '' : ` (${os.codename})`;
  return {
    os: `${os.distro} ${os.release}${codename}`.trim(),
    kernel: os.kernel,
    architecture: os.arch,
    cpuModel: `${processor.manufacturer} ${processor.brand}`.trim(),
    virtualization: machine.virtual ? (machine.virtualHost ?? '').toLowerCase() : '',
  };
}
