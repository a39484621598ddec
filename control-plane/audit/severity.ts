import type { AuditAction, AuditEvent, AuditSeverity } from './audit.js';

/** Severities of the actions that are not `info`. docs/api.md shows them in a table. */
const SEVERITIES: Readonly<Record<AuditAction, AuditSeverity>> = {
  'access.refused': 'warning',
  'api_key.change_refused': 'warning',
  'audit.chain_broken': 'critical',
  'audit.exported': 'warning',
  'auth.change_refused': 'warning',
  'auth.login_failed': 'warning',
  'auth.mfa_disabled': 'critical',
  'auth.password_reset': 'warning',
  'backup_job.updated': 'warning',
  'backup_job.url_renewed': 'warning',
  'billing.change_refused': 'warning',
  'billing.payment_failed': 'warning',
  'billing.plan_changed': 'warning',
  'channel.created': 'warning',
  'channel.updated': 'warning',
  'dependency.created': 'warning',
  'forwarder.deleted': 'critical',
  'forwarder.paused': 'critical',
  'forwarder.updated': 'warning',
  'integration.change_refused': 'warning',
  'integration.credential_rotated': 'warning',
  'integration.disconnected': 'critical',
  'integration.updated': 'warning',
  'maintenance.created': 'warning',
  'maintenance.extended': 'warning',
  'maintenance.feed_created': 'warning',
  'maintenance.feed_revoked': 'warning',
  'maintenance.updated': 'warning',
  'monitor.paused': 'warning',
  'monitor.secrets_exported': 'warning',
  'recipient.stopped': 'warning',
  'status_page.created': 'warning',
  'status_page.incident_created': 'warning',
  'status_page.update_posted': 'warning',
  'status_page.updated': 'warning',
  'team.change_refused': 'warning',
  'team.role_changed': 'warning',
  'workspace.change_refused': 'warning',
  'workspace.resumed': 'warning',
  'workspace.suspended': 'critical',
};

/** An action with one of these verbs is at least a warning, also if a slice declares it later. */
const REMOVAL = /[._](deleted|removed|revoked|disconnected)$/;
const DELETION = /\.deleted$/;

/** From this number of entries on, entries of one actor that delete objects of one kind are a mass deletion. */
export const MASS_DELETION_ENTRIES = 20;
/** The period in which a mass deletion is counted. */
export const MASS_DELETION_MS = 600_000;

/** Returns whether the action deletes an object, so that it can be part of a mass deletion. */
export function isDeletion(action: AuditAction): boolean {
  return DELETION.test(action);
}

/**
 * Returns the severity of an entry. `deletions` is the number of entries with the same action that the same actor wrote
 * within `MASS_DELETION_MS`, this one included; 0 if the action is no deletion.
 */
export function severityOf(event: AuditEvent, deletions: number): AuditSeverity {
  if (deletions >= MASS_DELETION_ENTRIES) return 'critical';
  return ofContent(event) ?? SEVERITIES[event.action] ?? (REMOVAL.test(event.action) ? 'warning' : 'info');
}

/** Returns the severity of an entry whose content decides it; null for all others. */
function ofContent({ action, resource, metadata = {} }: AuditEvent): AuditSeverity | null {
  switch (action) {
    case 'api_key.created':
      return listOf(metadata['scopes']).includes('*') ? 'critical' : null;
    case 'auth.email_changed':
      return metadata['notify_nobody'] === undefined ? null : 'critical';
    case 'channel.updated':
      return metadata['notify_nobody'] === undefined && metadata['no_channel_on'] === undefined ? null : 'critical';
    case 'forwarder.updated': {
      const { target, paused } = Object(metadata['changes']);
      return target !== undefined || paused?.to === true ? 'critical' : null;
    }
    case 'integration.credential_rotated':
      // Nodes rotate their credentials by themselves every 30 days.
      return resource.type === 'probe' || resource.type === 'server' ? 'info' : null;
    case 'team.role_changed': {
      const { from, to } = Object(Object(metadata['changes'])['role']);
      return from === 'owner' || to === 'owner' ? 'critical' : null;
    }
    case 'team.member_invited':
    case 'team.member_joined':
      return metadata['role'] === 'owner' ? 'critical' : null;
    case 'team.member_removed':
      return metadata['role'] === 'owner' || metadata['notify_nobody'] !== undefined ? 'critical' : null;
    default:
      return null;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
