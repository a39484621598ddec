/** Answers as the documentation shows them. A test holds each against its schema. */

const MONITOR_ID = 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n';
const CHANNEL_ID = 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n';
const MESSAGE =
  'Shop front page is down: 3 of 3 locations report connection refused (fra, nyc, sin). First failed check 03:14:02 UTC.';
const RESOURCE = { type: 'monitor', id: MONITOR_ID, name: 'Shop front page' };

export const INCIDENT_EXAMPLE = {
  id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n',
  kind: 'monitor',
  monitor_id: MONITOR_ID,
  monitor_name: 'Shop front page',
  resource: RESOURCE,
  status: 'firing',
  severity: 'critical',
  message: MESSAGE,
  started_at: '2026-01-24T03:14:02.118Z',
  resolved_at: null,
  duration_seconds: null,
  resolution: null,
  acknowledged_at: '2026-01-24T03:15:20.400Z',
  acknowledged_by: 'owner@example.com',
  silenced_at: null,
  runbook_url: 'https://wiki.example.com/shop-is-down',
  notifications_sent: [
    {
      channel: 'webhook',
      channel_id: CHANNEL_ID,
      event: 'opened',
      sent_at: '2026-01-24T03:14:07.291Z',
      status: 'sent',
      attempts: 1,
      error: null,
    },
  ],
};

const downVote = (location: string, checked_at: string) => ({
  ...{ location, vote: 'down', abstained: null, retrying: false, held_from: null, doubted: false },
  result: {
    id: `${MONITOR_ID}/1769224442117/${location}/1`,
    checked_at,
    up: false,
    attempt: 1,
    response_time_ms: 0.91,
    error: { code: 'connection_refused', message: '203.0.113.7:443 refused the connection after 1 ms' },
  },
});

const DECISION_EXAMPLE = {
  rule: {
    version: 1,
    confirmations: null,
    required_down_votes: 2,
    retries: 1,
    interval_seconds: 60,
    vote_valid_ms: 120_000,
    assigned_locations: 3,
  },
  before: {
    status: 'up',
    first_failed_at: '2026-01-24T03:14:02.118Z',
    recovering_since: null,
    first_good_round_at: null,
  },
  evaluated_at: '2026-01-24T03:14:07.204Z',
  votes: [
    downVote('fra', '2026-01-24T03:14:07.119Z'),
    downVote('nyc', '2026-01-24T03:14:07.160Z'),
    downVote('sin', '2026-01-24T03:14:07.198Z'),
  ],
  counts: { up: 0, down: 3, unknown: 0, retrying: 0, doubted: 0 },
  outcome: 'down',
  reason: '3 of 3 valid votes are down, 2 needed',
  times: {
    first_failed_at: '2026-01-24T03:14:02.118Z',
    confirmed_at: '2026-01-24T03:14:07.204Z',
    opened_at: '2026-01-24T03:14:07.211Z',
    recovered_at: null,
    notifications: [
      {
        channel: 'webhook',
        channel_id: CHANNEL_ID,
        event: 'opened',
        sent_at: '2026-01-24T03:14:07.291Z',
        after_first_failed_ms: 5_173,
      },
    ],
  },
};

export const INCIDENT_DETAIL_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  events: [
    { at: '2026-01-24T03:14:07.211Z', type: 'opened', message: MESSAGE, actor: 'system' },
    {
      at: '2026-01-24T03:15:20.400Z',
      type: 'acknowledged',
      message: 'Acknowledged by owner@example.com.',
      actor: 'owner@example.com',
    },
  ],
  decision: DECISION_EXAMPLE,
  recovery: null,
};

const SERVER = { type: 'server', id: 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'web-1' };
const SERVER_MESSAGE =
  'web-1: cpu_percent is 97.2 %, over the limit of 90 % since 03:09:02 UTC (5 min). Rule “CPU is busy”.';

export const SERVER_INCIDENT_DETAIL_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  ...{ kind: 'server', monitor_id: null, monitor_name: null, resource: SERVER },
  ...{ severity: 'warning', message: SERVER_MESSAGE, started_at: '2026-01-24T03:09:02.000Z' },
  ...{ acknowledged_at: null, acknowledged_by: null, runbook_url: null, notifications_sent: [] },
  events: [{ at: '2026-01-24T03:14:02.311Z', type: 'opened', message: SERVER_MESSAGE, actor: 'system' }],
  decision: {
    rule: {
      id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'CPU is busy',
      version: 3,
      type: 'metric',
      metric: 'cpu_percent',
      operator: '>',
      threshold: 90,
      for_seconds: 300,
      within_hours: null,
      severity: 'warning',
    },
    other_rules: [],
    samples: [
      { t: '2026-01-24T03:09:02.000Z', v: 93.1 },
      { t: '2026-01-24T03:11:32.000Z', v: 98.4 },
      { t: '2026-01-24T03:14:02.000Z', v: 97.2 },
    ],
    value: 97.2,
    forecast: null,
    reason: 'cpu_percent > 90 in each of 31 samples over 300 s',
    times: {
      breaching_since: '2026-01-24T03:09:02.000Z',
      evaluated_at: '2026-01-24T03:14:02.280Z',
      opened_at: '2026-01-24T03:14:02.311Z',
      recovered_at: null,
      notifications: [],
    },
  },
  recovery: null,
};

const LISTED_AT = '2026-01-24T02:58:40.512Z';
const LISTING_MESSAGE =
  'mail.example.com is listed on Spamhaus ZEN (SBL) with its address 203.0.113.7: “https://www.spamhaus.org/sbl/query/SBL123456”. To be removed: https://check.spamhaus.org/';
const SBL = {
  codes: ['127.0.0.2'],
  reason: 'https://www.spamhaus.org/sbl/query/SBL123456',
};

export const LISTING_INCIDENT_DETAIL_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  ...{ kind: 'blacklist', monitor_id: null, monitor_name: null },
  resource: { type: 'blacklist_monitor', id: 'blm_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'mail.example.com' },
  ...{ severity: 'warning', message: LISTING_MESSAGE, started_at: LISTED_AT },
  ...{ acknowledged_at: null, acknowledged_by: null, notifications_sent: [] },
  runbook_url: 'https://check.spamhaus.org/',
  events: [{ at: '2026-01-24T02:58:45.690Z', type: 'opened', message: LISTING_MESSAGE, actor: 'system' }],
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
    reason: 'two look-ups agree, and the list passed its own tests beside the second',
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

export const TIMELINE_EXAMPLE = {
  id: 'evt_01kf5e6q0h3v8r2m9x4t7c1z5n',
  at: '2026-01-24T03:14:07.211Z',
  type: 'incident.opened',
  resource: RESOURCE,
  message: MESSAGE,
  actor: 'system',
  metadata: { incident_id: 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n', severity: 'critical', kind: 'monitor' },
};
