import { cpu, osInfo, system } from 'systeminformation';

/** What of a server does not change while it runs. Empty where it cannot be told. */
export interface ServerDetails {
  os: string;
  kernel: string;
  architecture: string;
  cpuModel: string;
  virtualization: string;
}

/** Asks programs of the system, so it takes a moment and some memory: see `ask-details.ts`. */
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
