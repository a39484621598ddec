/** The examples of this slice in the OpenAPI document. */

export const SCAN_EXAMPLE = {
  id: 'scn_01kf5e6q0h3v8r2m9x4t7c1z5n',
  monitor_id: 'mon_01kf5e6q0h3v8r2m9x4t7c1z5n',
  target: 'https://shop.example/',
  status: 'completed',
  score: 52,
  counts: { critical: 1, high: 0, medium: 1, low: 0, info: 2, passed: 14, unknown: 0 },
  error: null,
  location: 'fra',
  proof: 'dns',
  created_at: '2026-01-31T12:00:00.000Z',
  started_at: '2026-01-31T12:00:01.000Z',
  completed_at: '2026-01-31T12:00:09.000Z',
};

export const SCAN_WITH_FINDINGS_EXAMPLE = {
  ...SCAN_EXAMPLE,
  findings: [
    {
      code: 'file_exposed:/.git/HEAD',
      area: 'files',
      severity: 'critical',
      points: 40,
      message: 'The whole source code and its history can be downloaded from “.git”.',
      next_step: 'Delete /.git/HEAD or refuse it in the web server, and replace all passwords and keys in it.',
      evidence: '/.git/HEAD answers with the content of such a file',
    },
    {
      code: 'hsts_missing',
      area: 'headers',
      severity: 'medium',
      points: 8,
      message: 'The page does not tell browsers to use https always (HSTS).',
      next_step: 'Send “Strict-Transport-Security: max-age=31536000; includeSubDomains”.',
      evidence: null,
    },
  ],
  address: '192.0.2.17',
  connections: 31,
  duration_ms: 8120,
};

export const SCAN_CONFIRMATION_EXAMPLE = {
  token: 'picket-scan=5f2c0a7d9be14c36a80d7f1e2b3c4d5e6f708192',
  record_prefix: '_picket-scan.',
  file_path: '/.well-known/picket-scan.txt',
};
