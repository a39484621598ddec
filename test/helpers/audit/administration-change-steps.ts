import { type ChangeStep, SECRET } from './change-step.js';

/** Forwarders, API keys, probes, locations and the workspace. */
export const ADMINISTRATION_CHANGES: readonly ChangeStep[] = [
  {
    route: 'POST /api/v1/audit-logs/forwarders',
    body: () => ({
      type: 'webhook',
      name: 'SIEM',
      target: 'http://127.0.0.1:8089/siem',
      auth: `Bearer ${SECRET}`,
      paused: true,
    }),
    actions: ['integration.connected'],
    makes: 'forwarder',
  },
  {
    route: 'PATCH /api/v1/audit-logs/forwarders/{id}',
    param: ({ id }) => id('forwarder'),
    body: () => ({ name: 'Archive', auth: `Bearer ${SECRET}4` }),
    actions: ['forwarder.updated', 'integration.credential_rotated'],
    changes: { name: { from: 'SIEM', to: 'Archive' } },
  },
  {
    route: 'PATCH /api/v1/audit-logs/forwarders/{id}',
    param: ({ id }) => id('forwarder'),
    body: () => ({ auth: `Bearer ${SECRET}5` }),
    actions: ['integration.credential_rotated'],
  },
  {
    route: 'PATCH /api/v1/audit-logs/forwarders/{id}',
    param: ({ id }) => id('forwarder'),
    body: () => ({ paused: false }),
    actions: ['forwarder.resumed'],
  },
  // It sends a message and stores nothing.
  { route: 'POST /api/v1/audit-logs/forwarders/{id}/test', param: ({ id }) => id('forwarder'), actions: [] },
  {
    route: 'DELETE /api/v1/audit-logs/forwarders/{id}',
    param: ({ id }) => id('forwarder'),
    actions: ['integration.disconnected'],
  },
  {
    route: 'POST /v1/api-keys',
    body: () => ({ name: 'CI', scopes: ['monitors:read'], expires_at: '2100-01-01T00:00:00+01:00' }),
    actions: ['api_key.created'],
    makes: 'key',
  },
  { route: 'POST /v1/api-keys/{id}/rotate', param: ({ id }) => id('key'), actions: ['api_key.rotated'] },
  { route: 'DELETE /v1/api-keys/{id}', param: ({ id }) => id('key'), actions: ['api_key.revoked'] },
  {
    route: 'POST /v1/admin/probes/join-tokens',
    body: () => ({ location: 'fra' }),
    actions: ['probe.join_token_created'],
    makes: 'probe token',
  },
  {
    route: 'DELETE /v1/admin/probes/join-tokens/{id}',
    param: ({ id }) => id('probe token'),
    actions: ['probe.join_token_revoked'],
  },
  {
    route: 'PATCH /v1/admin/probes/{id}',
    before: ({ node }) => node('probe', 'prb_01jjwzmz000000000000000000'),
    param: () => 'prb_01jjwzmz000000000000000000',
    body: () => ({ drained: true }),
    actions: ['probe.drained'],
  },
  {
    route: 'PATCH /v1/admin/probes/{id}',
    param: () => 'prb_01jjwzmz000000000000000000',
    body: () => ({ drained: false }),
    actions: ['probe.undrained'],
  },
  { route: 'DELETE /v1/admin/probes/{id}', param: () => 'prb_01jjwzmz000000000000000000', actions: ['probe.revoked'] },
  {
    route: 'POST /v1/admin/locations',
    body: () => ({ code: 'ber', city: 'Berlin', region: 'EU-Central' }),
    actions: ['location.created'],
  },
  {
    route: 'PATCH /v1/admin/locations/{code}',
    param: () => 'ber',
    body: () => ({ city: 'Potsdam' }),
    actions: ['location.updated'],
    changes: { city: { from: 'Berlin', to: 'Potsdam' } },
  },
  { route: 'DELETE /v1/admin/locations/{code}', param: () => 'ber', actions: ['location.deleted'] },
  {
    route: 'PATCH /v1/workspace',
    body: () => ({ name: 'Renamed' }),
    actions: ['workspace.updated'],
    changes: { name: { from: 'My workspace', to: 'Renamed' } },
  },
];
