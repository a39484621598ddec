import { platformActor } from '../../actor.js';
import type { IncidentDocument, IncidentSeverity } from '../../incidents/documents.js';
import type { OutageIncidents } from '../../incidents/incidents.js';
import type { LocationDirectory } from '../../nodes/nodes.js';
import type { Transaction } from '../../storage/transaction.js';
import { locationKind } from '../incident-kinds/location.js';
import { type PlatformText, platformMessage } from './messages.js';

/**
 * Alerts about check locations, in the operators' workspace: one incident for each subject, however many control planes
 * open it.
 */
export interface PlatformAlerts {
  /** Resolves with null when the subject has an unresolved alert, or no operators' workspace exists yet. */
  open(
    tx: Transaction,
    alert: { subject: string; location: string; severity: IncidentSeverity; startedAtMs: number; text: PlatformText },
  ): Promise<IncidentDocument | null>;
  /** Changes the severity and the message of an unresolved alert, without another notification. */
  change(
    tx: Transaction,
    change: {
      alert: IncidentDocument;
      location: string;
      severity: IncidentSeverity;
      text: PlatformText;
      event: string;
    },
  ): Promise<void>;
  resolve(tx: Transaction, alert: { subject: string; location: string; text: PlatformText }): Promise<boolean>;
  /** Returns the subjects with an unresolved alert. */
  unresolved(): Promise<Set<string>>;
  /** Returns the newest alert of the subject, resolved or not. */
  latest(subject: string): Promise<IncidentDocument | null>;
}

export interface PlatformAlertsNeeds {
  incidents: Pick<OutageIncidents, 'open' | 'resolveSubject' | 'raiseSeverities'>;
  records: {
    unresolvedSubjects(workspaceId: string, kind: string): Promise<string[]>;
    latest(workspaceId: string, subject: string): Promise<IncidentDocument | null>;
  };
  locations: Pick<LocationDirectory, 'name'>;
  /** Returns the id of the workspace that runs this installation; null before the first start has created it. */
  operatorsWorkspace(): Promise<string | null>;
}

export function createPlatformAlerts(needs: PlatformAlertsNeeds): PlatformAlerts {
  const { incidents, records, locations, operatorsWorkspace } = needs;
  const { kind } = locationKind;

  /** Returns the name in the title of a notification. */
  function nameOf(location: string, text: PlatformText): string {
    return text.kind === 'majority_broken'
      ? `${text.broken.length} of ${text.voting} locations`
      : locations.name(location);
  }

  return {
    async open(tx, { subject, location, severity, startedAtMs, text }) {
      const workspaceId = await operatorsWorkspace();
      if (workspaceId === null) return null;
      const name = nameOf(location, text);
      return incidents.open(tx, {
        ...{ workspaceId, kind, subject, severity, startedAtMs },
        monitor: null,
        resource: { type: 'location', id: location, name },
        message: platformMessage(name, location, text),
        ...{ decision: null, channels: null, runbookUrl: null, tags: [], silencedBy: null },
      });
    },
    async change(tx, { alert, location, severity, text, event }) {
      const message = platformMessage(nameOf(location, text), location, text);
      const { _id: id, workspace_id: workspaceId } = alert;
      await incidents.raiseSeverities(tx, [{ workspaceId, id, severity, message, event }]);
    },
    async resolve(tx, { subject, location, text }) {
      const workspaceId = await operatorsWorkspace();
      if (workspaceId === null) return false;
      const resolved = await incidents.resolveSubject(tx, platformActor(workspaceId), {
        workspaceId,
        subject,
        resolution: 'recovered',
        message: platformMessage(nameOf(location, text), location, text),
        recovery: null,
      });
      return resolved !== null;
    },
    async unresolved() {
      const workspaceId = await operatorsWorkspace();
      return new Set(workspaceId === null ? [] : await records.unresolvedSubjects(workspaceId, kind));
    },
    async latest(subject) {
      const workspaceId = await operatorsWorkspace();
      return workspaceId === null ? null : records.latest(workspaceId, subject);
    },
  };
}
