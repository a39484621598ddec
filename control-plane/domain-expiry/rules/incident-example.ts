import { INCIDENT_EXAMPLE } from '../../incidents/examples.js';
import { DOMAIN_EXAMPLE } from '../examples.js';

const SINCE = '2026-01-24T03:11:09.402Z';
const { id, name, expires_at, registrar } = DOMAIN_EXAMPLE;
const MESSAGE = `The registration of ${name} expires in 13 days, on 2026-02-07 03:00:00 UTC. Renew it at ${registrar}.`;

/** An incident of a domain with its decision record. */
export const DOMAIN_INCIDENT_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  ...{ kind: 'domain', monitor_id: null, monitor_name: null, runbook_url: null },
  resource: { type: 'domain', id, name },
  ...{ severity: 'warning', message: MESSAGE, started_at: SINCE, facts: null },
  ...{ acknowledged_at: null, acknowledged_by: null, notifications_sent: [] },
  events: [{ at: SINCE, type: 'opened', message: MESSAGE, actor: 'system', until: null, link: null }],
  decision: {
    rule: {
      id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'Domain expiring',
      version: 1,
      type: 'domain_expiring',
      severity: 'warning',
    },
    other_rules: [],
    registration: { domain: name, expires_at, checked_at: SINCE, registrar, days: 14 },
    reason: 'the registry says that the registration ends in at most 14 days',
    times: { since: SINCE, evaluated_at: SINCE, opened_at: SINCE, recovered_at: null, notifications: [] },
  },
  recovery: null,
};
