import { Metadata } from '@grpc/grpc-js';
import type { CheckResult } from '../proto/generated/picket/link/v1/CheckResult.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import { loadCheckResultCodec } from '../proto/load.js';
import { enrolNode, openClient } from '../test/helpers/fake-node.js';
import type { Product } from '../test/helpers/product.js';

/** A probe of one location that checks nothing: it delivers whatever results it is given, as fast as it may. */
export interface FakeProbe {
  location: string;
  /** Monitors that it was told to check. */
  assigned(): number;
  /** Resolves when the last of them is acknowledged; rejects when the stream ends before. */
  deliver(results: Iterable<CheckResult>): Promise<void>;
  close(): void;
}

/** As a real probe does it, see `node-link/batch.ts`. */
const BATCH_RECORDS = 250;
const UNACKNOWLEDGED_BATCHES_MAX = 8;
const PING_MS = 5_000;

const codec = loadCheckResultCodec();

/** Joins the location and connects. */
export async function startFakeProbe(product: Product, location: string): Promise<FakeProbe> {
  const answer = await product.api('POST', '/v1/admin/probes/join-tokens', { location });
  if (answer.status !== 201) throw new Error(`no join token: ${answer.status} ${JSON.stringify(answer.body)}`);
  const node = await enrolNode(answer.body.data.token);
  const client = await openClient(node.address, node.fingerprint);
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${node.credential}`);
  metadata.set('picket-instance', `bench-${location}`);
  const call = client.connect(metadata);
  const assigned = new Set<string>();
  let sentSeq = 0;
  let ackedSeq = 0;
  let ended = '';
  let wake: () => void = () => undefined;
  call.on('data', (message: ToNode__Output) => {
    for (const put of message.assignments?.put ?? []) assigned.add(put.monitorId);
    if (message.ack) ackedSeq = message.ack.upToSeq;
    wake();
  });
  call.on('error', () => undefined); // `status` says the same.
  call.on('status', ({ details }) => {
    ended = details;
    clearInterval(pings);
    wake();
  });
  const pings = setInterval(() => call.write({ ping: { nonce: 1 } }), PING_MS);
  call.write({ hello: { version: '1.2.3', protocol: 1, assignmentsRevision: 0 } });

  async function acknowledged(seq: number): Promise<void> {
    while (ackedSeq < seq) {
      if (ended !== '') throw new Error(`the stream of ${location} ended: ${ended}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  async function send(records: Uint8Array[]): Promise<void> {
    await acknowledged(sentSeq - (UNACKNOWLEDGED_BATCHES_MAX - 1) * BATCH_RECORDS);
    call.write({ batch: { firstSeq: sentSeq + 1, records, droppedTotal: 0 } });
    sentSeq += records.length;
  }

  return {
    location,
    assigned: () => assigned.size,
    async deliver(results) {
      let records: Uint8Array[] = [];
      for (const result of results) {
        records.push(codec.encode(result));
        if (records.length < BATCH_RECORDS) continue;
        await send(records);
        records = [];
      }
      if (records.length > 0) await send(records);
      await acknowledged(sentSeq);
    },
    close() {
      clearInterval(pings);
      call.cancel();
      client.close();
      node.close();
    },
  };
}
