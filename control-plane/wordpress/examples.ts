/** The examples of this slice in the OpenAPI document. */

const SITE_ID = 'site_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const JOB_EXAMPLE = {
  id: 'job_01kf5e6q0h3v8r2m9x4t7c1z5n',
  site_id: SITE_ID,
  check: 'xmlrpc',
  kind: 'fix',
  plugin: null,
  status: 'verified',
  error: null,
  note: null,
  created_at: '2026-01-31T12:00:00.000Z',
  delivered_at: '2026-01-31T12:00:01.204Z',
  applied_at: '2026-01-31T12:00:01.890Z',
  ended_at: '2026-01-31T12:00:03.015Z',
  before_plugins: false,
};

export const SITE_EXAMPLE = {
  id: SITE_ID,
  name: 'Shop',
  url: 'https://shop.example',
  status: 'connected',
  score: 10,
  connected_at: '2026-01-31T11:58:40.000Z',
  seen_at: '2026-01-31T12:00:01.890Z',
  proven_at: '2026-01-31T12:00:01.204Z',
  home: { status: 'passing', evidence: 'the home page answers with HTTP 200', at: '2026-01-31T12:00:02.911Z' },
  undo_before_plugins: {
    ...{ status: 'passing', evidence: 'the must-use plugin is loaded', at: '2026-01-31T12:00:01.890Z' },
  },
  code_expires_at: null,
  plugin_version: '0.1.0',
  wordpress_version: '6.1.9',
  php_version: '8.2.30',
  server: 'Apache/2.4.66',
  created_at: '2026-01-31T11:50:00.000Z',
  updated_at: '2026-01-31T11:58:40.000Z',
};

export const ACTIVATION_CODE_EXAMPLE = '7K2QF-0M4XR-9TB6Z-QW3HN';

const CHECK_EXAMPLE = {
  id: 'xmlrpc',
  name: 'XML-RPC disabled',
  severity: 'high',
  status: 'passing',
  evidence: 'xmlrpc.php refuses the call with HTTP 403',
  outside: {
    status: 'passing',
    evidence: 'xmlrpc.php refuses the call with HTTP 403',
    at: '2026-01-31T12:00:02.911Z',
  },
  checked_at: '2026-01-31T12:00:01.890Z',
  fixable: true,
  manual: null,
  applied: true,
  fix: {
    job_id: JOB_EXAMPLE.id,
    kind: 'fix',
    plugin: null,
    status: 'verified',
    error: null,
    note: null,
    created_at: JOB_EXAMPLE.created_at,
    before_plugins: false,
  },
};

const VULNERABILITIES_EXAMPLE = {
  ...{ sources: ['wordfence'], as_of: '2026-01-31T03:00:00.000Z', total: 1 },
  found: [
    {
      ...{ plugin: 'Example Forms', slug: 'example-forms', version: '5.3.1', active: true },
      id: '848ccbdc-c6f1-480f-a272-cd459706a713',
      title: 'Example Forms <= 5.3.1 - Unrestricted File Upload',
      ...{ fixed_in: '5.3.2', cve: 'CVE-2026-10000', rating: 'Critical' },
      url: 'https://www.wordfence.com/threat-intel/vulnerabilities/id/848ccbdc-c6f1-480f-a272-cd459706a713',
      source: 'wordfence',
      notices: [
        {
          text: 'Copyright 2012-2026 Defiant Inc.',
          license_url: 'https://www.wordfence.com/wordfence-intelligence-terms/',
        },
      ],
    },
  ],
};

export const SITE_WITH_CHECKS_EXAMPLE = {
  ...SITE_EXAMPLE,
  checks: [CHECK_EXAMPLE],
  vulnerabilities: VULNERABILITIES_EXAMPLE,
};

export const HARDENING_CENTER_EXAMPLE = {
  summary: { sites: 1, passing: 1, failing: 0, unknown: 9, score: 10 },
  checks: [{ id: 'xmlrpc', name: 'XML-RPC disabled', severity: 'high', passing: 1, failing: 0, unknown: 0 }],
  sites: [
    {
      ...{ id: SITE_ID, name: SITE_EXAMPLE.name, url: SITE_EXAMPLE.url, status: 'connected', score: 10 },
      checks: [CHECK_EXAMPLE],
    },
  ],
};

export const ACTIVATED_EXAMPLE = {
  site_id: SITE_ID,
  secret: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
};

export const SIGNED_ANSWER_EXAMPLE = {
  payload: '{"time":"2026-01-31T12:00:01.204Z","next_poll_seconds":300,"jobs":[]}',
  signature: '1598646a248dc89525341c559ae5777b96ec9ba1bc300324202b5529c2030d73',
};
