import { type FindingSeverity, type Judged, passed, unknown } from './finding.js';
import type { Measured } from './measured.js';

/** The service that usually listens on a port, and how bad it is that everybody can connect to it. */
const SERVICES: ReadonlyMap<number, { name: string; severity: FindingSeverity }> = new Map([
  [21, { name: 'FTP', severity: 'medium' }],
  [22, { name: 'SSH', severity: 'info' }],
  [23, { name: 'Telnet', severity: 'high' }],
  [25, { name: 'SMTP', severity: 'info' }],
  [3306, { name: 'MySQL', severity: 'high' }],
  [5432, { name: 'PostgreSQL', severity: 'high' }],
  [6379, { name: 'Redis', severity: 'critical' }],
  [9200, { name: 'Elasticsearch', severity: 'critical' }],
  [11211, { name: 'memcached', severity: 'critical' }],
  [27017, { name: 'MongoDB', severity: 'critical' }],
]);

/** Returns the findings on open ports. A connection was opened and closed; nothing was sent. Pure. */
export function judgePorts({ ports }: Pick<Measured, 'ports'>): Judged[] {
  const findings = ports.filter(({ state }) => state === 'open').map(({ port }) => judgeOpen(port));
  const unmeasured = ports.filter(({ state }) => state === 'unknown');
  if (unmeasured.length > 0 || ports.length === 0) {
    findings.push({
      ...unknown('ports', 'Whether some ports are open could not be measured.'),
      evidence: unmeasured.map(({ port }) => port).join(', ') || null,
    });
  }
  return findings.length > 0
    ? findings
    : [passed('ports', `All of ${ports.length} ports of other services are closed.`)];
}

function judgeOpen(port: number): Judged {
  const { name, severity } = SERVICES.get(port) ?? { name: 'another service', severity: 'medium' };
  return {
    code: `port_open:${port}`,
    severity,
    evidence: `port ${port} accepts connections`,
    message: `Everybody can connect to port ${port} (${name}).`,
    next_step:
      severity === 'info'
        ? 'If only some need it, limit who can connect with a firewall.'
        : 'Close the port in the firewall, or let the service listen only on the loopback address.',
  };
}
