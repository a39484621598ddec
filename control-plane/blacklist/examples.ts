/** The examples of this slice in the OpenAPI document. */

const MONITOR_ID = 'blm_01kf5e6q0h3v8r2m9x4t7c1z5n';
const TARGET = 'mail.example.com';
const ADDRESS = '192.0.2.25';
const ZEN = 'https://check.spamhaus.org/';
const ZEN_TEXT = `https://check.spamhaus.org/query/ip/${ADDRESS}`;
const CHECKED_AT = '2026-01-31T12:00:00.000Z';

export const PROVIDER_EXAMPLE = {
  id: 'spamhaus-zen',
  name: 'Spamhaus ZEN',
  zone: 'zen.spamhaus.org',
  type: 'ip',
  website: 'https://www.spamhaus.org/blocklists/zen-blocklist/',
  delist_url: ZEN,
  ipv6: true,
  health: 'passing',
  health_reason: null,
  tested_at: '2026-01-31T11:40:12.310Z',
  terms: {
    url: 'https://www.spamhaus.org/blocklists/dnsbl-fair-use-policy/',
    summary: 'Free for low-volume, non-commercial use.',
  },
};

const LISTED = {
  provider: 'spamhaus-zen',
  name: 'Spamhaus ZEN',
  status: 'listed',
  codes: ['127.0.0.2'],
  meanings: ['SBL'],
  policy: false,
  reason: ZEN_TEXT,
  response_time_ms: 18.4,
  delist_url: ZEN,
  addresses: [{ address: ADDRESS, status: 'listed', codes: ['127.0.0.2'], reason: ZEN_TEXT }],
};

const CLEAN = {
  provider: 'spamcop',
  name: 'SpamCop',
  status: 'clean',
  codes: [],
  meanings: [],
  policy: false,
  reason: null,
  response_time_ms: 22.9,
  delist_url: 'https://www.spamcop.net/bl.shtml',
  addresses: [{ address: ADDRESS, status: 'clean', codes: [], reason: null }],
};

const FIGURES = { score: 50, rating: 'listed', listed: 1, clean: 1, responding: 2, asked: 2 };

export const INSTANT_CHECK_EXAMPLE = {
  target: TARGET,
  type: 'domain',
  ...FIGURES,
  results: [LISTED, CLEAN],
  not_asked: [],
  checked_at: CHECKED_AT,
};

export const MONITOR_EXAMPLE = {
  id: MONITOR_ID,
  target: TARGET,
  type: 'domain',
  frequency: 'hourly',
  status: 'listed',
  ...FIGURES,
  listings: [
    {
      provider: 'spamhaus-zen',
      name: 'Spamhaus ZEN',
      zone: 'zen.spamhaus.org',
      codes: ['127.0.0.2'],
      meanings: ['SBL'],
      policy: false,
      reason: ZEN_TEXT,
      delist_url: ZEN,
      addresses: [ADDRESS],
      listed_since: '2026-01-31T09:00:00.000Z',
      seen_at: CHECKED_AT,
    },
  ],
  results: [LISTED, CLEAN],
  not_asked: [],
  last_checked_at: CHECKED_AT,
  next_check_at: '2026-01-31T13:00:00.000Z',
  created_at: '2026-01-10T12:03:12.401Z',
  updated_at: '2026-01-10T12:03:12.401Z',
};

export const CHECK_EXAMPLE = {
  id: 'blc_01kf5e6q0h3v8r2m9x4t7c1z5n',
  checked_at: '2026-01-31T09:00:00.000Z',
  ...FIGURES,
  changes: [
    {
      kind: 'listed',
      provider: 'spamhaus-zen',
      name: 'Spamhaus ZEN',
      codes: ['127.0.0.2'],
      meanings: ['SBL'],
      policy: false,
      reason: ZEN_TEXT,
      delist_url: ZEN,
    },
  ],
  results: [LISTED, CLEAN],
};
