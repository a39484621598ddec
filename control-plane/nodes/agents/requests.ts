import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { Random } from '../../../kernel/random.js';
import { afterListening } from '../../../kernel/stalls/listening-timer.js';
import type { ProcessSample__Output } from '../../../proto/generated/picket/link/v1/ProcessSample.js';
import type { ProcessSampleCodec } from '../../../proto/load.js';
import { createChangePoll, POLL_CHANGES_MS } from '../../storage/poll-changes.js';
import type { AgentRequests } from '../nodes.js';
import { SILENT_MS } from '../streams/admission.js';
import type { AgentRequestStore } from './requests-store.js';
import type { AgentSessions } from './sessions.js';

const RESPONSE_MS_MAX = 8_000;
const RESPONSE_POLL_MS = 100;
const ID_BYTES = 12;

export interface AgentRequestRelay extends AgentRequests {
  stop(): Promise<void>;
}

/** Returns the requests to agents. An agent that is connected here gets them directly, others through the database. */
export function createAgentRequests(needs: {
  sessions: AgentSessions;
  store: AgentRequestStore;
  codec: ProcessSampleCodec;
  controlPlane: string;
  clock: Clock;
  random: Random;
  logger: Logger;
}): AgentRequestRelay {
  const { sessions, store, codec, controlPlane, clock, random, logger } = needs;
  const local = createLocalRequests(sessions, clock);

  async function read(): Promise<void> {
    for (const { id, serverId } of await store.pending(controlPlane)) {
      if (sessions.current(serverId) === null) continue;
      void local(serverId)
        .then((sample) => (sample === null ? undefined : store.respond(id, codec.encode(sample))))
        .catch((error: unknown) =>
          logger.warn(
            { err: error, server: serverId },
            'storing the response of an agent failed; the request times out',
          ),
        );
    }
  }
  const polling = createPeriodicTask({
    clock,
    periodMs: POLL_CHANGES_MS,
    run: createChangePoll({ newest: () => store.newest(), read, clock }),
    onFailure: (error) => logger.warn({ err: error }, 'polling requests to agents failed, retrying'),
  });
  polling.start();

  /** Requests the processes through the control plane that holds the agent's stream. */
  async function remote(serverId: string): Promise<ProcessSample__Output | null> {
    if ((await sessions.presenceStore.holder(serverId, SILENT_MS)) === null) return null;
    const id = random.bytes(ID_BYTES).toString('hex');
    await store.insert({ id, serverId, controlPlane });
    const deadline = clock.monotonic() + RESPONSE_MS_MAX;
    while (clock.monotonic() < deadline) {
      await clock.sleep(RESPONSE_POLL_MS);
      const response = await store.response(id);
      if (response !== null) return codec.decode(response);
    }
    return null;
  }

  return {
    processes: (serverId) => (sessions.current(serverId) === null ? remote(serverId) : local(serverId)),
    stop: polling.stop,
  };
}

/**
 * Returns a function that requests the processes from an agent that is connected here. Concurrent callers share one
 * request.
 */
function createLocalRequests(
  sessions: AgentSessions,
  clock: Clock,
): (serverId: string) => Promise<ProcessSample__Output | null> {
  const waiting = new Map<
    string,
    { nonce: number; response: Promise<ProcessSample__Output | null>; resolve: Resolve }
  >();
  let nonce = 0;
  sessions.onProcesses((node, sample) => {
    const request = waiting.get(node.nodeId);
    if (request?.nonce === sample.nonce) request.resolve(sample);
  });
  return (serverId) => {
    const known = waiting.get(serverId);
    if (known !== undefined) return known.response;
    nonce += 1;
    let resolve: Resolve = () => {};
    const response = new Promise<ProcessSample__Output | null>((done) => {
      resolve = done;
    }).finally(() => {
      waiting.delete(serverId);
      timer.cancel();
    });
    waiting.set(serverId, { nonce, response, resolve });
    const timer = afterListening(clock, RESPONSE_MS_MAX, () => resolve(null));
    if (sessions.current(serverId)?.offer({ sampleProcesses: { nonce } }) !== true) resolve(null);
    return response;
  };
}

type Resolve = (sample: ProcessSample__Output | null) => void;
