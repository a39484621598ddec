import type { BlacklistMonitorDocument } from '../../../control-plane/blacklist/documents.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import type { MetricSample } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import { loadMetricSampleCodec } from '../../../proto/load.js';
import type { TestApp } from '../app.js';
import { monitorOf } from '../blacklist/documents.js';
import { buildCheck, ZEN } from '../blacklist/listings.js';
import { serverDocument } from '../servers/document.js';

import type { RulesPlane, RulesWorld } from './plane.js';
import type { AlertRulesSetup } from './setup.js';

interface StepsNeeds {
  world: RulesWorld;
  app: TestApp;
  /** The control plane that does it, unless a test names another one. */
  first: RulesPlane;
}

export const INTERVAL_MS = 10_000;

export function serverSteps({
  world: { mongo, clock, data },
  app,
  first,
}: StepsNeeds): Pick<AlertRulesSetup, 'insertServer' | 'changeServer' | 'server' | 'sample'> {
  const servers = mongo.db.collection<ServerDocument>('servers');
  const codec = loadMetricSampleCodec();
  return {
    async insertServer(over = {}) {
      const nowMs = clock.now();
      const server = serverDocument({
        ...{ _id: app.parts.ids.next('srv'), workspace_id: app.workspace.id, status: 'online' },
        ...{ status_changed_at_ms: nowMs, created_at_ms: nowMs, updated_at_ms: nowMs },
        ...over,
      });
      await servers.insertOne(server);
      return server;
    },
    async changeServer(id, change) {
      const changed = await servers.findOneAndUpdate({ _id: id }, { $set: change }, { returnDocument: 'after' });
      if (changed === null) throw new Error(`no server ${id}`);
      return changed;
    },
    server: (id) => servers.findOne({ _id: id }),
    async sample(server, values, { plane: to = first, late = false, unseen = false, atMs = clock.now() } = {}) {
      const identity = { workspaceId: server.workspace_id, serverId: server._id };
      const message = Object.entries(values).map(([series, value]) => {
        const [metric = '', ...device] = series.split(':');
        return { metric: metric.toUpperCase(), device: device.join(':'), value };
      });
      const bytes = codec.encode({ atMs, values: message } as MetricSample);
      const receivedAtMs = clock.now();
      await data.samples.insert([{ ...identity, atMs, receivedAtMs, bytes }]);
      if (unseen) return;
      await to.evaluate({ ...identity, atMs, receivedAtMs, late, values: new Map(Object.entries(values)) });
    },
  };
}

export function blacklistSteps({
  world: { mongo, clock, blacklist, checks },
  app,
  first,
}: StepsNeeds): Pick<AlertRulesSetup, 'insertMonitor' | 'check'> {
  const monitors = mongo.db.collection<BlacklistMonitorDocument>('blacklist_monitors');
  return {
    async insertMonitor(over = {}) {
      const nowMs = clock.now();
      const monitor = monitorOf({
        ...{ _id: app.parts.ids.next('blm'), workspace_id: app.workspace.id, frequency: 'hourly' },
        ...{ next_at_ms: nowMs, created_at_ms: nowMs, updated_at_ms: nowMs },
        ...over,
      });
      await app.parts.runTransaction((tx) => blacklist.insert(tx, monitor));
      return monitor;
    },
    async check(monitorId, listings, { plane: by = first, silent = [], lists = [ZEN, 'spamcop'], unnoticed } = {}) {
      return by.runTransaction(async (tx) => {
        const monitor = await monitors.findOne({ _id: monitorId }, { session: tx.session });
        if (monitor === null) throw new Error(`no blacklist monitor ${monitorId}`);
        const id = app.parts.ids.next('blc');
        const check = buildCheck(monitor, listings, { id, atMs: clock.now(), silent, lists });
        const { _id: check_id, score, rating, listed, clean, responding, asked, results, checked_at_ms } = check;
        const noted = await blacklist.saveCheck(tx, monitor, {
          ...{ listings: [...listings], results, not_asked: [], next_at_ms: clock.now() + 3_600_000 },
          last: { check_id, checked_at_ms, score, rating, listed, clean, responding, asked },
        });
        if (noted === null) throw new Error('a concurrent check was saved first');
        await checks.insert(tx, check);
        if (unnoticed !== true) await by.listingListener.checked(tx, noted, check);
        return check;
      });
    },
  };
}
