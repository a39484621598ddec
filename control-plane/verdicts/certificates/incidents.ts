import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { OutageIncidents } from '../../incidents/incidents.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import { monitorSubject } from '../../monitors/monitors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { Timeline } from '../../timeline/timeline.js';
import { certificateRecord } from '../incident-kinds/certificate.js';
import type { IncidentMessages } from '../messages.js';
import type { CertificateStep } from './rule.js';

/** Opens and resolves the incidents about certificates, in the transaction of the notice. */
export interface CertificateIncidents {
  open(
    tx: Transaction,
    monitor: MonitorDocument,
    step: Extract<CertificateStep, { do: 'open' }>,
    nowMs: number,
  ): Promise<void>;
  resolve(tx: Transaction, monitor: MonitorDocument, renewed: boolean): Promise<void>;
}

export interface CertificateIncidentsNeeds {
  clock: Clock;
  incidents: OutageIncidents;
  messages: IncidentMessages;
  timeline: Timeline;
  /** Returns Picket itself as it acts in a workspace. */
  systemActor(workspaceId: string): Actor;
}

export function createCertificateIncidents(needs: CertificateIncidentsNeeds): CertificateIncidents {
  const { clock, incidents, messages, timeline, systemActor } = needs;

  function unresolved(tx: Transaction, monitor: MonitorDocument): Promise<IncidentDocument | null> {
    return incidents.unresolved(monitor.workspace_id, monitorSubject(monitor._id), tx);
  }

  return {
    async open(tx, monitor, step, nowMs) {
      const { certificate } = monitor;
      if (certificate === null) return;
      const existing = await unresolved(tx, monitor);
      // An outage has an incident of the same subject. It reopens this one when it ends.
      if (existing !== null && existing.kind !== 'certificate') return;
      // The previous threshold sends no notification of its end: the new incident sends its own.
      if (existing !== null) await incidents.supersede(tx, [existing]);
      const { not_after_ms: notAfterMs, issuer } = certificate;
      await incidents.openNew(tx, [
        {
          workspaceId: monitor.workspace_id,
          kind: 'certificate',
          subject: monitorSubject(monitor._id),
          monitor: { id: monitor._id, name: monitor.name },
          resource: resourceOf(monitor),
          severity: step.severity,
          message: messages.certificate({ name: monitor.name, notAfterMs, nowMs, issuer }),
          startedAtMs: nowMs,
          decision: certificateRecord({ not_after_ms: notAfterMs, issuer }),
          channels: monitor.channels,
          runbookUrl: monitor.runbook_url,
          tags: monitor.tags,
          alreadyNotified: step.again,
        },
      ]);
    },
    async resolve(tx, monitor, renewed) {
      const { name, certificate } = monitor;
      const message =
        renewed && certificate !== null
          ? messages.certificateRenewed({ name, notAfterMs: certificate.not_after_ms })
          : messages.certificateGone({ name });
      const incident = await unresolved(tx, monitor);
      if (incident?.kind === 'certificate') {
        const actor = systemActor(monitor.workspace_id);
        await incidents.resolveKnown(tx, [{ incident, actor, resolution: 'recovered', message, recovery: null }]);
      }
      // The replacement has its own line, from the moment when the new certificate was seen.
      if (renewed) return;
      await timeline.record(tx, [
        {
          workspaceId: monitor.workspace_id,
          atMs: clock.now(),
          type: 'certificate.changed',
          resource: resourceOf(monitor),
          message,
          actor: 'system',
        },
      ]);
    },
  };
}

function resourceOf(monitor: MonitorDocument): { type: string; id: string; name: string } {
  return { type: 'monitor', id: monitor._id, name: monitor.name };
}
