import type { LocationDirectory } from '../nodes/nodes.js';
import { platformMessage } from '../verdicts/messages.js';
import type { PlatformAlerts } from './incidents.js';
import { createIncidents, type IncidentContext, platformActor } from './service.js';

/** `operatorsWorkspace`: id of the workspace that runs this installation; null before the first start has made it. */
export function createPlatformAlerts(
  context: IncidentContext & {
    locations: Pick<LocationDirectory, 'name'>;
    operatorsWorkspace(): Promise<string | null>;
  },
): PlatformAlerts {
  const { store, locations, operatorsWorkspace } = context;
  const incidents = createIncidents(context);
  return {
    async open(tx, { subject, location, severity, startedAtMs, text }) {
      const workspaceId = await operatorsWorkspace();
      if (workspaceId === null) return null;
      const name = locations.name(location);
      return incidents.open(tx, {
        workspaceId,
        kind: 'location',
        subject,
        monitor: null,
        resource: { type: 'location', id: location, name },
        severity,
        message: platformMessage(name, location, text),
        startedAtMs,
        decision: null,
        channels: null,
        runbookUrl: null,
        silent: false,
      });
    },
    async resolve(tx, { subject, location, text }) {
      const workspaceId = await operatorsWorkspace();
      if (workspaceId === null) return false;
      const resolved = await incidents.resolveSubject(tx, platformActor(workspaceId), {
        workspaceId,
        subject,
        resolution: 'recovered',
        message: platformMessage(locations.name(location), location, text),
        recovery: null,
      });
      return resolved !== null;
    },
    async unresolved() {
      const workspaceId = await operatorsWorkspace();
      return new Set(workspaceId === null ? [] : await store.unresolvedSubjects(workspaceId, 'location'));
    },
    async latest(subject) {
      const workspaceId = await operatorsWorkspace();
      return workspaceId === null ? null : store.latest(workspaceId, subject);
    },
  };
}
