import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { composeSignal } from './delivery/compose.js';
import type { ForwarderTest } from './schema.js';
import { openSecrets, withoutSecrets } from './secrets.js';
import type { ForwarderStore } from './store.js';
import type { OpenTransport } from './transports/open.js';
import { ForwardError, type Transport } from './transports/transport.js';
import { requireForwarding } from './verb.js';

export interface TryOutDeps {
  store: ForwarderStore;
  open: OpenTransport;
  box: SecretBox;
  version: string;
  clock: Clock;
}

const TEST_MS_MAX = 15_000;

/** Sends a test message over a way of its own, also for a paused forwarder. It is no audit entry and has no number. */
export async function tryForwarder(deps: TryOutDeps, actor: Actor, id: string): Promise<ForwarderTest> {
  requireForwarding(actor);
  const { clock } = deps;
  const forwarder = await deps.store.find(actor.workspaceId, id);
  if (forwarder === null) throw notFound('forwarder');
  const startedMs = clock.monotonic();
  const stop = new AbortController();
  const timer = clock.after(TEST_MS_MAX, () => stop.abort());
  const at = { atMs: clock.now(), sequence: forwarder.cursor.sequence };
  let transport: Transport | null = null;
  let failure: ForwardError | null = null;
  try {
    transport = await deps.open(forwarder, { signal: stop.signal, onNews: () => undefined });
    await transport.send([composeSignal('test', forwarder, at, deps.version)]);
  } catch (error) {
    if (!(error instanceof ForwardError)) throw error;
    failure = error;
  } finally {
    timer.cancel();
  }
  // A receiver that cuts the connection instead of ending it has not read the message.
  const before = transport?.broken() ?? null;
  await transport?.close();
  failure ??= before;
  return {
    status: failure === null ? 'sent' : 'failed',
    error: failure === null ? null : withoutSecrets(failure.message, openSecrets(forwarder.sealed, deps.box)),
    response_status: failure?.responseStatus ?? null,
    duration_ms: Math.round(clock.monotonic() - startedMs),
  };
}
