import { number, plural } from '../../../../texts/format.ts';
import type { HappenedWords } from '../happened.ts';

const monitors = (count: number) => plural(count, { one: 'monitor', other: 'monitors' });

const BULK: Readonly<Record<string, (count: string) => string>> = {
  set: (count) => `changed ${count}`,
  add_tags: (count) => `added tags to ${count}`,
  remove_tags: (count) => `removed tags from ${count}`,
  pause: (count) => `paused ${count}`,
  resume: (count) => `resumed ${count}`,
  delete: (count) => `deleted ${count}`,
  add: (count) => `added ${count}`,
};

const DOMAIN: Readonly<Record<string, string>> = {
  added: 'added the domain',
  verified: 'verified the domain',
  unverified: 'lost the verification of the domain',
  removed: 'removed the domain',
};

const bulk = (operation: string, count: number) => (BULK[operation] ?? BULK['set'])?.(monitors(count)) ?? '';

export const en: HappenedWords = {
  picket: 'Picket',
  act: (who, verb, object) => `${who} ${verb} ${object}`,
  sentences: {
    'audit.chain_broken': () => 'Somebody changed or deleted entries of the audit log.',
    'auth.account_deletion_cancelled': ({ who }) => `${who} keeps the account.`,
    'auth.account_deletion_requested': ({ who }) => `${who} asked for the deletion of the account.`,
    'auth.change_refused': ({ who }) => `A change of the account of ${who} was refused.`,
    'auth.email_changed': ({ who }) => `${who} changed the e-mail address of the account.`,
    'auth.email_confirmed': ({ who }) => `${who} confirmed the e-mail address of the account.`,
    'auth.login': ({ who }) => `${who} logged in.`,
    'auth.login_failed': ({ who }) => `A log-in of ${who} failed.`,
    'auth.logout': ({ who }) => `${who} logged out.`,
    'auth.mfa_disabled': ({ who }) => `${who} removed a second factor.`,
    'auth.mfa_enabled': ({ who }) => `${who} added a second factor.`,
    'auth.passkey_renamed': ({ who }) => `${who} renamed a passkey.`,
    'auth.password_changed': ({ who }) => `${who} changed the password of the account.`,
    'auth.password_reset': ({ who }) => `${who} set a new password by e-mail.`,
    'auth.password_reset_requested': ({ who }) => `Somebody asked for a new password of ${who}.`,
    'auth.recovery_codes_renewed': ({ who }) => `${who} created new recovery codes.`,
    'auth.session_ended': ({ who }) => `${who} ended a session.`,
    'auth.signed_up': ({ who }) => `${who} created an account.`,
    'auth.workspace_switched': ({ who }) => `${who} opened the workspace.`,
    'billing.change_refused': ({ who }) => `A change of the plan by ${who} was refused.`,
    'billing.invoice_paid': () => 'An invoice was paid.',
    'billing.payment_failed': () => 'A payment failed.',
    'billing.plan_changed': ({ from, to }) =>
      from === '' || to === '' ? 'The plan changed.' : `The plan changed from ${from} to ${to}.`,
    'integration.credential_rotated': () => 'The credential was replaced.',
    'integration.updated': ({ who, change }) => `${who} ${DOMAIN[change] ?? 'changed the integration'}.`,
    'monitor.bulk_changed': ({ who, operation, count }) => `${who} ${bulk(operation, count)}.`,
    'monitor.bulk_undone': ({ who, count }) => `${who} undid a change of ${monitors(count)}.`,
    'probe.enrolled': () => 'The probe joined.',
    'probe.join_token_created': ({ who }) => `${who} created a join token for a probe.`,
    'server.created': () => 'The server was added.',
    'recipient.asked': ({ who }) => `${who} asked whether this address wants the alerts.`,
    'recipient.confirmed': () => 'The address gets the alerts from now on.',
    'recipient.stopped': () => 'The address has stopped the e-mails of the workspace.',
    'server.join_token_created': ({ who }) => `${who} created a join token for a server.`,
    'team.change_refused': ({ who }) => `A change of the team by ${who} was refused.`,
    'team.invitation_revoked': ({ who }) => `${who} revoked the invitation.`,
    'team.member_invited': ({ who, role }) => `Invited${role === '' ? '' : ` as ${role}`} by ${who}.`,
    'team.member_joined': ({ role }) => `Joined the workspace${role === '' ? '' : ` as ${role}`}.`,
    'team.member_removed': () => 'Left the workspace.',
    'team.role_changed': ({ who }) => `${who} changed the role.`,
    'workspace.change_refused': ({ who }) => `A change of the workspace by ${who} was refused.`,
    'workspace.deletion_requested': ({ who }) => `${who} asked for the deletion of the workspace.`,
  },
  objects: {
    ...{ alert: 'the incident', alert_rule: 'the alert rule', api_key: 'the API key' },
    ...{ blacklist_monitor: 'the blacklist monitor', channel: 'the channel', forwarder: 'the forwarder' },
    ...{ integration: 'the integration', location: 'the location', maintenance: 'the maintenance window' },
    ...{
      monitor: 'the monitor',
      on_call_links: 'the links in notifications',
      probe: 'the probe',
      report: 'the report',
    },
    ...{ scan: 'the scan', server: 'the server', site: 'the site', status_page: 'the status page' },
    workspace: 'the workspace',
  },
  verbs: {
    ...{ acknowledged: 'acknowledged', commented: 'commented on', completed: 'completed', connected: 'connected' },
    ...{ created: 'created', deleted: 'deleted', disconnected: 'disconnected', downloaded: 'downloaded' },
    ...{ drained: 'drained', paused: 'paused', resolved: 'resolved', restored: 'restored', resumed: 'resumed' },
    ...{ revoked: 'revoked', rotated: 'replaced', silenced: 'silenced', suspended: 'suspended', triggered: 'started' },
    ...{ undrained: 're-enabled', unsilenced: 'ended the silence of', updated: 'changed' },
  },
  fields: {
    ...{
      name: 'name',
      url: 'address',
      tags: 'tags',
      type: 'type of check',
      interval_seconds: 'interval',
      timeout_ms: 'timeout',
    },
    ...{ confirmations: 'confirmations', retries: 'retries', locations: 'locations', channels: 'channels' },
    ...{ runbook_url: 'runbook', enabled: 'turned on or off', severity: 'severity', threshold: 'threshold' },
    ...{ duration_seconds: 'duration', metric: 'metric', frequency: 'frequency', target: 'address', filter: 'filter' },
    ...{ config: 'settings', escalation_minutes: 'escalation', reminder_minutes: 'reminders', region: 'region' },
    ...{ requires_second_factor: 'second factor', report_interval_seconds: 'interval of the samples', role: 'role' },
  },
  otherFields: (count) => plural(count, { one: 'another setting', other: 'other settings' }).replace(/^1 /, ''),
  many: {
    monitor: monitors,
    server: (count) => plural(count, { one: 'server', other: 'servers' }),
    channel: (count) => plural(count, { one: 'channel', other: 'channels' }),
    alert_rule: (count) => plural(count, { one: 'alert rule', other: 'alert rules' }),
    blacklist_monitor: (count) => plural(count, { one: 'blacklist monitor', other: 'blacklist monitors' }),
  },
  often: (sentence, times, hasMore) => `${sentence} (${hasMore ? 'at least ' : ''}${times} times)`,
  atLeast: (objects) => `at least ${objects}`,
  changes: 'Changes',
  outages: {
    many: (isOutage, count, last) =>
      `${plural(count, isOutage ? { one: 'outage', other: 'outages' } : { one: 'incident', other: 'incidents' })}, last ${last}.`,
    over: (lasted) => `Down for ${lasted}.`,
    resolvedByPerson: (lasted) => `Down. A person resolved the incident after ${lasted}.`,
    lasting: (since) => `Down since ${since}.`,
    together: {
      over: (lasted) => `Down together, for up to ${lasted}.`,
      resolvedByPerson: (lasted) => `Down together. People resolved the incidents after up to ${lasted}.`,
      someByPerson: (count) => `People resolved ${number(count)} of the incidents.`,
      lasting: (since) => `Down together since ${since}.`,
      left: (count) => `${count === 1 ? '1 is' : `${number(count)} are`} still down.`,
    },
  },
};
