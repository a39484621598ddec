import { createServer } from 'node:net';
import { listenProblem } from '../kernel/listen-problem.js';
import type { SupervisorConfig } from './config.js';

/**
 * Throws SettingError if one of the two ports cannot be opened. Checked before anything starts: readiness is requested
 * over the HTTP port, and another process on it would answer in place of the control plane.
 */
export async function checkPorts(config: Pick<SupervisorConfig, 'host' | 'httpPort' | 'grpcPort'>): Promise<void> {
  await checkPort(config.host, config.httpPort, 'PICKET_HTTP_PORT');
  await checkPort(config.host, config.grpcPort, 'PICKET_GRPC_PORT');
}

async function checkPort(host: string, port: number, portVariable: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenProblem(error, { host, port, portVariable }) ?? error));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
