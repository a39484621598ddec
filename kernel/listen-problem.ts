import { SettingError } from './settings.js';

/** An address to listen on, and the variables that set it. */
interface ListenAddress {
  host: string;
  port: number;
  portVariable: string;
}

/** Another process has the port. Unlike other wrong settings, this may end without a change of the settings. */
export class PortInUseError extends SettingError {}

/** The variable of the host, which is the same for all ports. */
const HOST_VARIABLE = 'PICKET_HOST';

/** Returns the error of a failed `listen` as one that names the setting; null if no setting explains it. */
export function listenProblem(error: unknown, { host, port, portVariable }: ListenAddress): SettingError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new PortInUseError(portVariable, `${port} is in use: another process listens on ${host}:${port}`);
    case 'EACCES':
      return new SettingError(portVariable, `${port} needs the right to open ports below 1024`);
    case 'EADDRNOTAVAIL':
      return new SettingError(HOST_VARIABLE, `${host} is not an address of this machine`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SettingError(HOST_VARIABLE, `${host} is neither an IP address nor a name that can be resolved`);
    default:
      return null;
  }
}
