import type { Clock } from '../../../kernel/clock.js';
import { toIso } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ProbeDocument } from '../documents.js';
import type { JoinToken as IssuedToken } from '../enrolment/join-tokens.js';
import type { Presence } from '../presence/presence.js';
import { CreateJoinToken, JoinToken, PageQuery, Probe, ProbeId, UpdateProbe } from '../schema.js';
import type { NodeStore } from '../store.js';
import { viewProbe } from './view.js';

interface Dependencies {
  store: NodeStore;
  presence: Presence;
  audit: AuditLog;
  pager: Pager;
  clock: Clock;
  createJoinToken(tx: Transaction, actor: Actor, location: string): Promise<IssuedToken>;
  /** The line that makes a machine a probe. */
  installCommand(token: string): string;
  /** Wakes whoever holds the node's stream here. */
  nodesChanged(): void;
}

export function createProbeRoutes(dependencies: Dependencies): Route[] {
  const { store, presence, pager, createJoinToken, installCommand } = dependencies;
  const view = (node: ProbeDocument) => viewProbe(node, presence.row(node._id), presence.isLive(node._id));
  const tag = 'Operators';
  return [
    readRoute({
      method: 'GET',
      path: '/v1/admin/probes',
      access: 'operator',
      tag,
      summary: 'List probes',
      query: PageQuery,
      replies: { 200: Probe },
      list: true,
      async handle(input) {
        const page = pager.open('probes', input);
        const { rows, nextCursor } = page.reply(await store.pageOfProbes(page.request), (node) => [node._id]);
        return { status: 200, data: rows.map(view), nextCursor };
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/admin/probes/{id}',
      access: 'operator',
      tag,
      summary: 'Get a probe',
      params: ProbeId,
      replies: { 200: Probe },
      async handle({ params }) {
        const node = await store.findProbe(params.id);
        if (node === null) throw notFound('probe');
        return { status: 200, data: view(node), version: node.document_version };
      },
    }),
    mutationRoute({
      method: 'PATCH',
      path: '/v1/admin/probes/{id}',
      access: 'operator',
      tag,
      summary: 'Drain a probe, or put it back to work',
      params: ProbeId,
      body: UpdateProbe,
      replies: { 200: Probe },
      errors: ['conflict'],
      async handle({ actor, params, body, ifVersion }, tx) {
        const node = await setDrained(dependencies, tx, actor, { id: params.id, drained: body.drained, ifVersion });
        return { status: 200, data: view(node), version: node.document_version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/admin/probes/{id}',
      access: 'operator',
      tag,
      summary: 'Revoke a probe',
      description: 'Its connection is closed within 60 seconds and its credential is void for good.',
      params: ProbeId,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        await revoke(dependencies, tx, actor, params.id, ifVersion);
        return { status: 204 };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/admin/probes/join-tokens',
      access: 'operator',
      tag,
      summary: 'Create a join token',
      description: 'With it one probe may join the location, within 24 hours. Shown in this answer and in no other.',
      body: CreateJoinToken,
      replies: { 201: JoinToken },
      async handle({ actor, body }, tx) {
        const { token, expiresAtMs } = await createJoinToken(tx, actor, body.location);
        const data: JoinToken = { token, install_command: installCommand(token), expires_at: toIso(expiresAtMs) };
        // A token is read nowhere again; what comes of it is seen there.
        return { status: 201, data, location: '/v1/admin/probes' };
      },
    }),
  ];
}

async function setDrained(
  { store, audit, clock, nodesChanged }: Dependencies,
  tx: Transaction,
  actor: Actor,
  change: { id: string; drained: boolean; ifVersion: number | null },
): Promise<ProbeDocument> {
  const before = await load(store, tx, change.id, change.ifVersion);
  if (before.revoked_at_ms !== null) throw new AppError('conflict', 'The probe is revoked.');
  if ((before.drained_at_ms !== null) === change.drained) return before;
  const after = await store.setDrained(tx, change.id, change.drained ? clock.now() : null);
  if (after === null) throw notFound('probe');
  await audit.record(tx, actor, {
    action: 'probe.drained',
    resource: { type: 'probe', id: after._id, name: after.hostname },
    metadata: { location: after.location, drained: change.drained },
  });
  tx.afterCommit(nodesChanged);
  return after;
}

/** Revoking twice is as good as once. */
async function revoke(
  { store, audit, clock, nodesChanged }: Dependencies,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<void> {
  const probe = await load(store, tx, id, ifVersion);
  if ((await store.revoke(tx, id, clock.now())) === null) return;
  await audit.record(tx, actor, {
    action: 'probe.revoked',
    resource: { type: 'probe', id, name: probe.hostname },
    metadata: { location: probe.location },
    severity: 'warning',
  });
  tx.afterCommit(nodesChanged);
}

async function load(store: NodeStore, tx: Transaction, id: string, ifVersion: number | null): Promise<ProbeDocument> {
  const node = await store.findProbe(id, tx);
  if (node === null) throw notFound('probe');
  requireVersion(ifVersion, node.document_version);
  return node;
}
