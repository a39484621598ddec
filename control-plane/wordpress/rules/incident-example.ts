import { INCIDENT_EXAMPLE } from '../../incidents/examples.js';

const PASSED = '2026-01-24T03:06:08.120Z';
const SINCE = '2026-01-24T03:11:09.402Z';
const EVIDENCE = 'xmlrpc.php answers with HTTP 200 and offers 80 methods';
const SITE_ID = 'site_01kf5e6q0h3v8r2m9x4t7c1z5n';
const MESSAGE = `The check “XML-RPC disabled” of Shop has failed since 2026-01-24 03:11:09 UTC; it last passed at 2026-01-24 03:06:08 UTC. ${EVIDENCE}. What to do: one click on “Harden” on the page of the site in Picket fixes it.`;

/** An incident of a check of a WordPress site with its decision record. */
export const WORDPRESS_INCIDENT_EXAMPLE = {
  ...INCIDENT_EXAMPLE,
  kind: 'wordpress',
  monitor_id: null,
  monitor_name: null,
  resource: { type: 'site', id: SITE_ID, name: 'Shop' },
  severity: 'warning',
  message: MESSAGE,
  started_at: SINCE,
  facts: null,
  acknowledged_at: null,
  acknowledged_by: null,
  notifications_sent: [],
  runbook_url: `https://picket.example.com/wordpress/${SITE_ID}`,
  events: [
    { at: '2026-01-24T03:16:09.690Z', type: 'opened', message: MESSAGE, actor: 'system', until: null, link: null },
  ],
  decision: {
    rule: {
      id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
      name: 'WordPress check failed',
      version: 1,
      type: 'wordpress_check_failed',
      severity: 'warning',
    },
    other_rules: [],
    wordpress: {
      site: 'Shop',
      url: 'https://shop.example',
      check: 'xmlrpc',
      evidence: EVIDENCE,
      measurements: 2,
      from_outside: false,
      passed_at: PASSED,
    },
    reason: 'the check passed before, and failed in two consecutive measurements of the plugin',
    times: {
      failing_since: SINCE,
      evaluated_at: '2026-01-24T03:16:09.684Z',
      opened_at: '2026-01-24T03:16:09.690Z',
      recovered_at: null,
      notifications: [],
    },
  },
  recovery: null,
};
