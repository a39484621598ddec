import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { composeSignal } from './delivery/compose.js';
import { requireForwarding } from './input.js';
import type { ForwarderTest } from './schema.js';
import { openSecrets, withoutSecrets } from './secrets.js';
import type { ForwarderStore } from './store.js';
import { ForwardError, type Transport } from './transports/interface.js';
import type { OpenTransport } from './transports/open.js';

export interface SendTestNeeds {
  store: ForwarderStore;
  open: OpenTransport;
  box: SecretBox;
  version: string;
  clock: Clock;
}

const TEST_MS_MAX = 15_000;

/** Sends a test message over a separate connection, even if the forwarder is paused. It has no sequence number. */
export async function sendTestMessage(needs: SendTestNeeds, actor: Actor, id: string): Promise<ForwarderTest> {
  requireForwarding(actor);
  const { clock } = needs;
  const forwarder = await needs.store.find(actor.workspaceId, id);
  if (forwarder === null) throw notFound('forwarder');
  const startedMs = clock.monotonic();
  const stop = new AbortController();
  const timer = clock.after(TEST_MS_MAX, () => stop.abort());
  const at = { atMs: clock.now(), sequence: forwarder.cursor.sequence };
  let transport: Transport | null = null;
  let failure: ForwardError | null = null;
  try {
    transport = await needs.open(forwarder, { signal: stop.signal, onChange: () => undefined });
    await transport.send([composeSignal('test', forwarder, at, needs.version)]);
  } catch (error) {
    if (!(error instanceof ForwardError)) throw error;
    failure = error;
  } finally {
    timer.cancel();
  }
  // Read before `close`, which also sets a failure: a receiver that breaks the connection has not read the message.
  const failureBefore = transport?.failure() ?? null;
  await transport?.close();
  failure ??= failureBefore;
  return {
    status: failure === null ? 'sent' : 'failed',
    error: failure === null ? null : withoutSecrets(failure.message, openSecrets(forwarder, needs.box)),
    response_status: transport?.responseStatus() ?? null,
    duration_ms: Math.round(clock.monotonic() - startedMs),
  };
}
