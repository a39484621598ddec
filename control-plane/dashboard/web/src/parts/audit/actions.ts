import type { AuditEntry } from '../../api/types.ts';

/** All actions of the API, for the choice in the filter. A unit test compares them with the API. */
export const ACTIONS = [
  'alert.acknowledged',
  'alert.commented',
  'alert.resolved',
  'alert.silenced',
  'alert.unsilenced',
  'alert_rule.created',
  'alert_rule.deleted',
  'alert_rule.updated',
  'api_key.change_refused',
  'api_key.created',
  'api_key.revoked',
  'api_key.rotated',
  'audit.chain_broken',
  'audit.exported',
  'auth.account_deletion_cancelled',
  'auth.account_deletion_requested',
  'auth.change_refused',
  'auth.email_changed',
  'auth.email_confirmed',
  'auth.login',
  'auth.login_failed',
  'auth.logout',
  'auth.mfa_disabled',
  'auth.mfa_enabled',
  'auth.passkey_renamed',
  'auth.password_changed',
  'auth.password_reset',
  'auth.password_reset_requested',
  'auth.recovery_codes_renewed',
  'auth.session_ended',
  'auth.signed_up',
  'auth.workspace_switched',
  'billing.change_refused',
  'billing.invoice_paid',
  'billing.payment_failed',
  'billing.plan_changed',
  'blacklist_monitor.created',
  'blacklist_monitor.deleted',
  'blacklist_monitor.updated',
  'channel.created',
  'channel.deleted',
  'channel.updated',
  'forwarder.created',
  'forwarder.deleted',
  'forwarder.paused',
  'forwarder.resumed',
  'forwarder.updated',
  'integration.change_refused',
  'integration.connected',
  'integration.credential_rotated',
  'integration.disconnected',
  'integration.updated',
  'location.created',
  'location.deleted',
  'location.updated',
  'monitor.bulk_changed',
  'monitor.bulk_undone',
  'monitor.created',
  'monitor.deleted',
  'monitor.paused',
  'monitor.resumed',
  'monitor.secrets_exported',
  'monitor.updated',
  'on_call_links.revoked',
  'probe.drained',
  'probe.enrolled',
  'probe.join_token_created',
  'probe.revoked',
  'probe.undrained',
  'recipient.asked',
  'recipient.confirmed',
  'recipient.stopped',
  'report.created',
  'report.deleted',
  'report.downloaded',
  'scan.completed',
  'scan.triggered',
  'server.created',
  'server.deleted',
  'server.join_token_created',
  'server.updated',
  'team.change_refused',
  'team.invitation_revoked',
  'team.member_invited',
  'team.member_joined',
  'team.member_removed',
  'team.role_changed',
  'workspace.change_refused',
  'workspace.created',
  'workspace.deletion_requested',
  'workspace.restored',
  'workspace.resumed',
  'workspace.suspended',
  'workspace.updated',
] as const satisfies readonly AuditEntry['action'][];

/** What names an action in words: whole phrases, and the words that phrases of the other actions consist of. */
export interface ActionWords {
  /** By action, such as `auth.login`. */
  phrases: Readonly<Record<string, string>>;
  /** By the part before the point, such as `monitor`. */
  kinds: Readonly<Record<string, string>>;
  /** By the part after the point, such as `created`. */
  verbs: Readonly<Record<string, string>>;
}

/** Returns `Monitor created` for `monitor.created`; the name of the action itself if there are no words for it. */
export function actionText(action: string, { phrases, kinds, verbs }: ActionWords): string {
  const phrase = phrases[action];
  if (phrase !== undefined) return phrase;
  const [kind = '', verb = ''] = action.split('.');
  const words = [kinds[kind], verbs[verb]];
  return words.includes(undefined) ? action : words.join(' ');
}
