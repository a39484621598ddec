import t from 'tap';
import { createSend } from '../../../control-plane/notifications/delivery/send.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { allMembers, askNobody } from '../../helpers/recipients/all-members.js';
import { allWork } from '../../helpers/standing.js';

const SENT = { kind: 'sent', responseStatus: 200, warning: null } as const;
const ENDED = { kind: 'retry', error: 'ended', responseStatus: null, retryAfterMs: null } as const;

t.test('a delivery that a stall of this process has delayed still takes the answer of its receiver', async (t) => {
  const clock = testClock();
  const box = createSecretBox(Buffer.alloc(32, 1), systemRandom);
  const sealed = box.seal('{"config":{},"signingSecret":null}', { purpose: 'channel', id: 'chn_1' });
  let answer: () => void = () => {};
  const webhook = {
    send: (_config: unknown, _message: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => {
        answer = () => resolve(SENT);
        signal.addEventListener('abort', () => resolve(ENDED), { once: true });
      }),
  };
  const send = createSend({
    channels: { webhook } as never,
    box,
    standingOf: allWork,
    recipients: allMembers,
    askUnasked: askNobody,
    clock,
  });
  const begin = () =>
    send(
      { _id: 'chn_1', type: 'webhook', config: {}, sealed } as never,
      { actionLink: null } as never,
      new AbortController().signal,
    );
  const delayed = begin();
  await clock.advance(0);
  clock.stall(60_000);
  await clock.advance(0);
  answer();
  t.match(await delayed, SENT, 'it waited unread');
  const silent = begin();
  await clock.advance(0);
  await clock.advance(16_000);
  t.match(await silent, ENDED, 'without a stall it ends in time');
});
