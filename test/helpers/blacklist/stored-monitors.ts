import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { buildKey, buildWorkspace } from '../factories.js';
import type { BlacklistApp } from './app.js';
import { monitorOf } from './documents.js';

export const PATH = '/api/v1/blacklist/monitors';

export interface Shown {
  id: string;
  target: string;
  status: string;
  next_check_at: string;
}

export async function stored(of: BlacklistApp, options: Parameters<typeof monitorOf>[0] = {}) {
  const monitor = monitorOf({ workspace_id: of.workspace.id, ...options });
  await createRunTransaction(of.mongo.client)((tx) => of.store.insert(tx, monitor));
  return monitor;
}

export const last = (responding: number) => ({
  ...{ check_id: 'blc_01kf5e6q0h3v8r2m9x4t7c1z5n', checked_at_ms: Date.now(), score: null, rating: null },
  ...{ listed: 0, clean: responding, responding, asked: 12 },
});

export async function otherWorkspace(app: BlacklistApp) {
  const workspace = await buildWorkspace(app.mongo);
  return { workspace: workspace.id, key: (await buildKey(app.mongo, workspace)).key };
}
