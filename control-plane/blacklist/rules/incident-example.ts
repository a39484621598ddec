import { INCIDENT_EXAMPLE } from '../../incidents/examples.js';

const LISTED_AT = '2026-01-24T02:58:40.512Z';
const LISTING_MESSAGE =
  'mail.example.com is listed on Spamhaus ZEN (SBL) with its address 203.0.113.7: “https://www.spamhaus.org/sbl/query/SBL123456”. Delisting instructions: https://check.spamhaus.org/';
const SBL = {
  codes: ['127.0.0.2'],
  reason: 'https://www.spamhaus.org/sbl/query/SBL123456',
};

/** An incident of a listing with its decision record. */
export const LISTING_INCIDENT_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  ...{ kind: 'blacklist', monitor_id: null, monitor_name: null },
  resource: { type: 'blacklist_monitor', id: 'blm_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'mail.example.com' },
  ...{ severity: 'warning', message: LISTING_MESSAGE, started_at: LISTED_AT },
  facts: { type: 'blacklist', list: 'Spamhaus ZEN', meanings: ['SBL'] },
  ...{ acknowledged_at: null, acknowledged_by: null, notifications_sent: [] },
  runbook_url: 'https://check.spamhaus.org/',
  events: [
    {
      at: '2026-01-24T02:58:45.690Z',
      type: 'opened',
      message: LISTING_MESSAGE,
      actor: 'system',
      until: null,
      link: null,
    },
  ],
  decision: {
    rule: {
      id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'Listed on a blacklist',
      version: 1,
      type: 'blacklist_listed',
      severity: 'warning',
    },
    other_rules: [],
    listing: {
      provider: 'spamhaus-zen',
      provider_name: 'Spamhaus ZEN',
      zone: 'zen.spamhaus.org',
      target: 'mail.example.com',
      addresses: ['203.0.113.7'],
      ...SBL,
      meanings: ['SBL'],
      policy: false,
      delist_url: 'https://check.spamhaus.org/',
      first: { at: LISTED_AT, ...SBL },
      confirmed: { at: '2026-01-24T02:58:45.602Z', ...SBL },
      tested: true,
    },
    answer: null,
    reason: 'two consecutive lookups agree, and the list passed its own tests during the second one',
    times: {
      listed_since: LISTED_AT,
      evaluated_at: '2026-01-24T02:58:45.684Z',
      opened_at: '2026-01-24T02:58:45.690Z',
      recovered_at: null,
      notifications: [],
    },
  },
  recovery: null,
};
