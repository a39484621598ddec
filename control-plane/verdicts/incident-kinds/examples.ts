import { INCIDENT_EXAMPLE } from '../../incidents/examples.js';
import { shownResultId } from '../../results/documents.js';

const CHANNEL_ID = 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n';
const MONITOR_ID = INCIDENT_EXAMPLE.monitor_id;
const MESSAGE = INCIDENT_EXAMPLE.message;

const downVote = (location: string, checked_at: string) => ({
  ...{ location, vote: 'down', counted_as: 'down', not_counted_because: null },
  ...{ abstained: null, retrying: false, held_from: null, doubted: false },
  before: { status: 'up', at: '2026-01-24T03:13:02.104Z' },
  result: {
    id: shownResultId(`${MONITOR_ID}/1769224442117/${location}/1`),
    checked_at,
    received_at: checked_at,
    up: false,
    attempt: 1,
    response_time_ms: 0.9,
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
  counts: { up: 0, down: 3, unknown: 0, retrying: 0, doubted: 0, none: 0 },
  outcome: 'down',
  reason: '3 of 3 valid votes are down, 2 needed',
  silent: null,
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

/** An outage with its decision record. */
export const OUTAGE_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  notifications_sent: INCIDENT_EXAMPLE.notifications_sent.map((sent) => ({
    ...sent,
    next_attempt_at: null,
    latest_attempts: [{ at: sent.sent_at, status: 'sent', response_status: 204, error: null }],
  })),
  events: [
    { at: '2026-01-24T03:14:07.211Z', type: 'opened', message: MESSAGE, actor: 'system', until: null, link: null },
    {
      at: '2026-01-24T03:15:20.400Z',
      type: 'acknowledged',
      message: 'Acknowledged by owner@example.com.',
      actor: 'owner@example.com',
      until: null,
      link: null,
    },
  ],
  decision: DECISION_EXAMPLE,
  recovery: null,
};
