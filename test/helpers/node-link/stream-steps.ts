import type { TestClock } from '../clock.js';
import { waitFor } from '../wait.js';
import type { FakeStream } from './fake-node.js';
import type { NodeSide } from './node-side.js';

export const batchOf = (firstSeq: number, records: number, bytes = 10) => ({
  batch: { firstSeq, records: Array.from({ length: records }, () => Buffer.alloc(bytes, 1)), droppedTotal: 0 },
});
export const pong = (stream: FakeStream, nonce: number) =>
  stream.next((message) => (message.pong?.nonce === nonce ? message.pong : null));

/** What was sent to this control plane before has been read by then, or is not read at all. */
export async function everythingRead(by: NodeSide): Promise<void> {
  const stream = await (await by.enrol('nyc')).connect({ pingMs: 0 });
  for (let nonce = 0; nonce < 20; nonce++) {
    stream.send({ ping: { nonce } });
    await pong(stream, nonce);
  }
  stream.end();
}

export function advanceUntil(clock: TestClock, what: string, isTrue: () => boolean): Promise<boolean> {
  const step = async () => {
    await clock.advance(1_000);
    return isTrue();
  };
  return waitFor(what, 60_000, step, 1);
}

/** Its drain waits for the test's clock. */
export async function stopSide(stopped: NodeSide, clock: TestClock): Promise<void> {
  let over = false;
  const stopping = stopped.stop().finally(() => {
    over = true;
  });
  await advanceUntil(clock, 'the control plane to stop', () => over);
  await stopping;
}
