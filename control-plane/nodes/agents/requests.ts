import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import { createRounds } from '../../../kernel/rounds.js';
import type { ProcessSample__Output } from '../../../proto/generated/picket/link/v1/ProcessSample.js';
import type { ProcessSampleCodec } from '../../../proto/load.js';
import { createLook, NEWS_MS } from '../../storage/look-for-news.js';
import type { AgentRequests } from '../nodes.js';
import { SILENT_MS } from '../streams/admission.js';
import type { AgentHost } from './host.js';
import type { AgentRequestStore } from './requests-store.js';

const ANSWER_MS_MAX = 8_000;
const ANSWER_LOOK_MS = 100;
const ID_BYTES = 12;

export interface AgentRequestRelay extends AgentRequests {
  stop(): Promise<void>;
}

/** Asks agents: those connected here at once, others through the database. */
export function createAgentRequests(dependencies: {
  host: AgentHost;
  store: AgentRequestStore;
  codec: ProcessSampleCodec;
  controlPlane: string;
  clock: Clock;
  random: Random;
  logger: Logger;
}): AgentRequestRelay {
  const { host, store, codec, controlPlane, clock, random, logger } = dependencies;
  const local = createLocalRequests(host, clock);

  async function read(): Promise<void> {
    for (const { id, serverId } of await store.open(controlPlane)) {
      if (host.current(serverId) === null) continue;
      void local(serverId)
        .then((sample) => (sample === null ? undefined : store.answer(id, codec.encode(sample))))
        .catch((error: unknown) => logger.warn({ err: error, server: serverId }, 'an answer could not be handed on'));
    }
  }
  const look = createLook({ newest: () => store.newest(), read, clock });
  const looks = createRounds({
    clock,
    periodMs: NEWS_MS,
    round: look,
    failed: (error) => logger.warn({ err: error }, 'questions to agents cannot be looked for now'),
  });
  looks.start();

  /** Through the control plane that holds the agent's stream. */
  async function remote(serverId: string): Promise<ProcessSample__Output | null> {
    if ((await host.presenceStore.holder(serverId, SILENT_MS)) === null) return null;
    const id = random.bytes(ID_BYTES).toString('hex');
    await store.ask({ id, serverId, controlPlane });
    const deadline = clock.monotonic() + ANSWER_MS_MAX;
    while (clock.monotonic() < deadline) {
      await clock.sleep(ANSWER_LOOK_MS);
      const answer = await store.answerTo(id);
      if (answer !== null) return codec.decode(answer);
    }
    return null;
  }

  return {
    processes: (serverId) => (host.current(serverId) === null ? remote(serverId) : local(serverId)),
    stop: looks.stop,
  };
}

/** Whoever asks while a question is on its way gets the answer to that one. */
function createLocalRequests(
  host: AgentHost,
  clock: Clock,
): (serverId: string) => Promise<ProcessSample__Output | null> {
  const waiting = new Map<
    string,
    { nonce: number; answer: Promise<ProcessSample__Output | null>; resolve: Answered }
  >();
  let nonce = 0;
  host.onProcesses((node, sample) => {
    const question = waiting.get(node.nodeId);
    if (question?.nonce === sample.nonce) question.resolve(sample);
  });
  return (serverId) => {
    const known = waiting.get(serverId);
    if (known !== undefined) return known.answer;
    nonce += 1;
    let resolve: Answered = () => {};
    const answer = new Promise<ProcessSample__Output | null>((done) => {
      resolve = done;
    }).finally(() => {
      waiting.delete(serverId);
      timer.cancel();
    });
    waiting.set(serverId, { nonce, answer, resolve });
    const timer = clock.after(ANSWER_MS_MAX, () => resolve(null));
    if (host.current(serverId)?.offer({ sampleProcesses: { nonce } }) !== true) resolve(null);
    return answer;
  };
}

type Answered = (sample: ProcessSample__Output | null) => void;
