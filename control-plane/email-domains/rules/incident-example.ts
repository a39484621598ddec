import { INCIDENT_EXAMPLE } from '../../incidents/examples.js';

const SINCE = '2026-01-24T03:11:09.402Z';
const SPF = 'example.com has 2 SPF records. Receivers then ignore all of them.';
const MESSAGE = `The e-mail score of example.com fell from 95 to 75. Failing: SPF. ${SPF}`;

/** An incident of an e-mail domain with its decision record. */
export const EMAIL_INCIDENT_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  kind: 'email',
  monitor_id: null,
  monitor_name: null,
  resource: { type: 'email_domain', id: 'eml_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'example.com' },
  severity: 'warning',
  message: MESSAGE,
  started_at: SINCE,
  facts: null,
  acknowledged_at: null,
  acknowledged_by: null,
  notifications_sent: [],
  runbook_url: null,
  events: [
    { at: '2026-01-24T03:11:09.690Z', type: 'opened', message: MESSAGE, actor: 'system', until: null, link: null },
  ],
  decision: {
    rule: {
      id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'E-mail score fell',
      version: 1,
      type: 'email_score_fell',
      severity: 'warning',
    },
    other_rules: [],
    email: { domain: 'example.com', from_score: 95, score: 75, failing: [{ area: 'spf', message: SPF }] },
    reason: 'the score fell by 10 points or more, or an area that passed failed in two consecutive checks',
    times: {
      since: SINCE,
      evaluated_at: '2026-01-24T03:11:09.684Z',
      opened_at: '2026-01-24T03:11:09.690Z',
      recovered_at: null,
      notifications: [],
    },
  },
  recovery: null,
};
