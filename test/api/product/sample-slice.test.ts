import { Registry } from 'prom-client';
import t from 'tap';
import { Type } from 'typebox';
import type { AlertRules } from '../../../control-plane/alert-rules/alert-rules.js';
import { defineRuleType } from '../../../control-plane/alert-rules/rule-type.js';
import type { AuditLog } from '../../../control-plane/audit/audit.js';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { readConfig } from '../../../control-plane/config.js';
import { openFoundation } from '../../../control-plane/foundation.js';
import { mutationRoute, readRoute } from '../../../control-plane/http/route.js';
import type { RuleIncidents } from '../../../control-plane/incidents/incidents.js';
import { type IncidentKind, RUNBOOK_LABEL } from '../../../control-plane/incidents/kind.js';
import { composeProduct } from '../../../control-plane/product.js';
import type { OpenedSlice, Slice } from '../../../control-plane/slice.js';
import type { Ids } from '../../../control-plane/storage/ids.js';
import { createLogger } from '../../../kernel/logger.js';
import { startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { waitFor } from '../../helpers/wait.js';

/** A part of the product that nothing else knows of: tides at a harbour. */
const tideKind: IncidentKind = {
  kind: 'tide',
  description: 'a tide above its mark',
  started: null,
  byAlertRules: true,
  decision: {
    schema: Type.Object({ metres: Type.Number() }, { additionalProperties: false, title: 'TideDecision' }),
    view: (decision) => ({ metres: 'metres' in decision ? decision.metres : 0 }),
  },
  examples: [],
  state: () => ({ opened: 'HIGH TIDE', lasting: 'STILL HIGH TIDE' }),
  name: ({ resource }) => resource.name,
  recoveredTitle: () => null,
  subjectFacts: ({ resource }) => [{ label: 'Harbour', value: resource.name }],
  evidenceFacts: () => [],
  facts: () => null,
  votes: () => [],
  resolutions: {},
  runbookLabel: RUNBOOK_LABEL,
};

const Metres = Type.Union([Type.Number(), Type.Null()]);
const tideType = defineRuleType({
  type: 'tide_high',
  description: 'the tide is above a mark',
  metric: null,
  defaultSeverity: 'warning',
  condition: { metres: { value: Metres, input: Metres, default: 4 } },
  targets: {},
  examples: { create: [], update: [], reply: [] },
});

interface TidesNeeds {
  alertRules: AlertRules;
  incidents: RuleIncidents;
  audit: AuditLog;
  ids: Ids;
  log: string[];
}

const tidesSlice: Slice<'tides', TidesNeeds, OpenedSlice> = {
  name: 'tides',
  scopes: ['tides:read'],
  auditActions: ['tide.measured'],
  idPrefixes: ['tid'],
  incidentKinds: [tideKind],
  ruleTypes: [tideType],
  open({ alertRules, incidents, audit, ids, log }) {
    alertRules.register({
      types: [tideType.type],
      async checkTargets() {},
      withRule: async (_workspace, open) => new Set(open.map(({ subject }) => subject)),
      beginSweep: async () => null,
    });
    const measure = mutationRoute({
      method: 'POST',
      path: '/v1/tides',
      access: 'full',
      tag: 'Tides',
      summary: 'Measure a tide',
      body: Type.Object({ metres: Type.Number() }, { additionalProperties: false }),
      replies: { 201: Type.Object({ id: Type.String(), incident_id: Type.String() }, { additionalProperties: false }) },
      async handle({ actor, body }, tx) {
        const id = ids.next('tid');
        const resource = { type: 'tide', id, name: 'Hamburg' };
        const times = { opened_at_ms: null, recovered_at_ms: null };
        const incident = await incidents.open(tx, {
          ...{ workspaceId: actor.workspaceId, kind: tideKind.kind, subject: `tide:${id}`, monitor: null, resource },
          ...{ severity: 'warning', message: 'High tide at Hamburg.', startedAtMs: Date.now(), tags: [] },
          decision: Object.assign({ reason: 'high', times }, { metres: body.metres }),
          ...{ channels: null, runbookUrl: null },
        });
        await audit.record(tx, actor, { action: 'tide.measured', resource });
        return { status: 201, data: { id, incident_id: incident?._id ?? '' }, location: `/v1/tides/${id}` };
      },
    });
    const list = readRoute({
      method: 'GET',
      path: '/v1/tides',
      access: 'tides:read',
      tag: 'Tides',
      summary: 'Get the tides',
      replies: { 200: Type.Object({ harbour: Type.String() }, { additionalProperties: false }) },
      handle: async () => ({ status: 200, data: { harbour: 'Hamburg' } }),
    });
    return {
      routes: [measure, list],
      jobs: [{ start: () => void log.push('started'), stop: () => void log.push('stopped') }],
    };
  },
};

t.test(
  'a slice with its own kind, rule type, scope, action, job and routes needs one entry and nothing else',
  async (t) => {
    const mongo = await testDatabase();
    const receiver = await startReceiver();
    const config = readConfig({
      PICKET_MONGODB_URI: mongo.uri,
      PICKET_DATA_DIR: t.testdir(),
      PICKET_ALLOW_PRIVATE_TARGETS: '1',
    });
    const foundation = await openFoundation(config, createLogger({ name: 'test', level: 'silent' }));
    const log: string[] = [];
    const product = await composeProduct()
      .add(tidesSlice, ({ alertRules, incidents, audit, ids }) => ({ alertRules, incidents, audit, ids, log }))
      .open({
        ...foundation,
        config,
        version: '0.0.0',
        registry: new Registry(),
        catalogue: readProviders(config.blacklists),
      });
    await product.ready();
    const app = await startApp({ mongo: foundation.mongo, routes: product.routes });
    await product.start();
    t.teardown(async () => {
      await app.close();
      foundation.authority.close();
      await foundation.mongo.close();
      await receiver.close();
      await mongo.drop();
    });

    const channel = await app.request('POST', '/v1/channels', {
      body: { type: 'ntfy', name: 'Phone', config: { url: receiver.url, topic: 'tides' } },
    });
    t.equal(channel.status, 201, channel.text);
    const measured = await app.request<{ id: string; incident_id: string }>('POST', '/v1/tides', {
      body: { metres: 4.2 },
    });
    t.equal(measured.status, 201, measured.text);
    t.match(measured.body.data.id, /^tid_[0-9a-z]{26}$/);

    const incident = await app.request('GET', `/v1/alerts/${measured.body.data.incident_id}`);
    t.match(incident.body.data, { kind: 'tide', status: 'firing', decision: { metres: 4.2 } });
    await waitFor('the notification', 30_000, () => receiver.requests.length > 0);
    t.match(JSON.stringify(receiver.requests[0]), /HIGH TIDE: Hamburg/, 'with the title of its kind');

    const rule = await app.request('POST', '/v1/alert-rules', {
      body: { type: 'tide_high', name: 'Flood', metres: 5 },
    });
    t.equal(rule.status, 201);
    t.match(rule.body.data, { type: 'tide_high', metres: 5, severity: 'warning' });

    const entries = await app.request<{ action: string }[]>('GET', '/api/v1/audit-logs?action=tide.measured');
    t.match(entries.body.data, [{ action: 'tide.measured' }]);

    const key = await app.request<{ key: string }>('POST', '/v1/api-keys', {
      body: { name: 'Tides', scopes: ['tides:read'] },
    });
    t.equal(key.status, 201);
    const tides = await app.request('GET', '/v1/tides', { key: key.body.data.key });
    t.same(tides.body.data, { harbour: 'Hamburg' });
    const refused = await app.request('GET', '/v1/monitors', { key: key.body.data.key });
    t.match(refused.body, { code: 'insufficient_scope', required_scope: 'monitors:read' });

    await product.stop();
    t.same(log, ['started', 'stopped'], 'the job ran from start to stop');
  },
);
