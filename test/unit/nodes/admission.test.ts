import t from 'tap';
import type { NodeDocument } from '../../../control-plane/nodes/documents.js';
import type { AgentIdentity } from '../../../control-plane/nodes/nodes.js';
import { createAdmission } from '../../../control-plane/nodes/streams/admission.js';
import type { StreamHost } from '../../../control-plane/nodes/streams/host.js';
import type { Session } from '../../../control-plane/nodes/streams/session.js';
import type { SessionState } from '../../../control-plane/nodes/streams/session-state.js';
import { createLogger } from '../../../kernel/logger.js';
import { PROTOCOL_VERSION } from '../../../proto/handshake.js';
import { testClock } from '../../helpers/clock.js';
import { createGate } from '../../helpers/gate.js';

/** As in `admission-queue.ts`. */
const ADMITTED_AT_ONCE = 32;

/** The admission of agents to a control plane where `ready` decides when one is admitted. */
function setUp({ spreadMs, fraction }: { spreadMs: number; fraction: number }) {
  const clock = testClock();
  const ready = createGate();
  const claims: string[] = [];
  const host = {
    presenceStore: {
      claim: async ({ nodeId }: { nodeId: string }) => claims.push(nodeId) > 0,
      release: async () => {},
    },
    reconnectSpreadMs: () => spreadMs,
    ready: ready.pass,
    refusal: async () => null,
    current: () => null,
    welcome: () => ({}),
    opened: () => {},
  } as unknown as StreamHost<AgentIdentity>;
  const logger = createLogger({ name: 'test', level: 'silent' });
  const random = { fraction: () => fraction, bytes: (length: number) => Buffer.alloc(length) };
  const store = { setVersion: async () => {} } as never;
  const admission = createAdmission({ controlPlane: 'a', store, clock, random, logger }, host);

  function connect(nodeId: string) {
    const seen = { state: 'claiming' as SessionState, welcomed: 0, refused: null as [string, number?] | null };
    const session = {
      ...{ node: { nodeId }, streamId: nodeId, instance: nodeId, credentialHash: nodeId },
      state: () => seen.state,
      refuse: (code: string, _detail: string, _status: number, retryAfterMs?: number) => {
        seen.refused = retryAfterMs === undefined ? [code] : [code, retryAfterMs];
      },
      welcome: () => {
        seen.welcomed += 1;
        return true;
      },
    } as unknown as Session<AgentIdentity>;
    const node = { _id: nodeId, kind: 'agent', workspace_id: 'ws_1', drained_at_ms: null } as NodeDocument;
    const done = admission.admit(session, node, { protocol: PROTOCOL_VERSION, version: '' } as never);
    return { seen, done };
  }
  return { clock, ready, claims, connect };
}

t.test(
  'a node that finds the queue full is told when to come back: within the spread, and not sooner than a second',
  async (t) => {
    for (const { spreadMs, fraction, expectedMs } of [
      { spreadMs: 20_000, fraction: 0, expectedMs: 10_000 },
      { spreadMs: 20_000, fraction: 0.75, expectedMs: 25_000 },
      { spreadMs: 0, fraction: 0, expectedMs: 1_000 },
    ]) {
      const { clock, connect } = setUp({ spreadMs, fraction });
      const first = Array.from({ length: ADMITTED_AT_ONCE }, (_, index) => connect(`srv_${index}`));
      const late = connect('srv_late');
      await clock.advance(0);
      await clock.advance(4_999);
      t.equal(late.seen.refused, null, 'it waits');
      await clock.advance(1);
      await late.done;
      t.same(late.seen.refused, ['busy', expectedMs]);
      t.equal(late.seen.welcomed, 0);
      t.ok(first.every(({ seen }) => seen.refused === null));
    }
  },
);

t.test('waiting nodes are admitted after earlier ones, except those that have disconnected', async (t) => {
  const { clock, ready, claims, connect } = setUp({ spreadMs: 0, fraction: 0 });
  const nodes = Array.from({ length: 5 * ADMITTED_AT_ONCE }, (_, index) => connect(`srv_${index}`));
  const gone = nodes.at(-1);
  if (gone !== undefined) gone.seen.state = 'closed';
  await clock.advance(1_000);
  t.same(claims, [], 'all wait');
  ready.open();
  await Promise.all(nodes.map(({ done }) => done));
  t.equal(nodes.filter(({ seen }) => seen.welcomed === 1).length, nodes.length - 1);
  t.equal(claims.length, nodes.length - 1, 'a stream that has ended claims nothing');
  const next = connect('srv_next');
  await next.done;
  t.equal(next.seen.welcomed, 1);
});
