import { Metadata, status } from '@grpc/grpc-js';
import { INSTANCE_METADATA } from '../../../proto/handshake.js';
import { openClient } from '../node-link/fake-node.js';
import type { AttackPlan, Credential } from './attack.js';

const CONNECT = '/picket.link.v1.NodeLink/Connect';

/** A stream of a node that sends any bytes as messages and does not read what comes back. */
export interface RawStream {
  send(message: Uint8Array): void;
  /** Resolves with the name of the status when the stream has ended. */
  ended: Promise<string>;
  cut(): void;
}

export async function openRawStream(plan: AttackPlan, { id, credential }: Credential): Promise<RawStream> {
  const client = await openClient(plan.grpcAddress, plan.fingerprint);
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${credential}`);
  metadata.set(INSTANCE_METADATA, `attacker-${id}`);
  const call = client.makeBidiStreamRequest(
    CONNECT,
    (message: Uint8Array) => Buffer.from(message),
    () => null,
    metadata,
  );
  const ended = new Promise<string>((resolve) => {
    call.on('status', ({ code }) => {
      resolve(status[code] ?? String(code));
      client.close();
    });
  });
  call.on('error', () => {
    // The `status` event has the same information.
  });
  call.resume();
  return {
    send: (message) => void call.write(message),
    ended,
    cut() {
      call.cancel();
      client.close();
    },
  };
}
