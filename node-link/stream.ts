import { status } from '@grpc/grpc-js';
import type { Clock } from '../kernel/clock.js';
import type { FromNode } from '../proto/generated/picket/link/v1/FromNode.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import { INSTANCE_METADATA } from '../proto/handshake.js';
import { bearer, type OpenChannel } from './channel.js';
import type { NodeCredentials } from './enrolment/credentials.js';

/** Why a stream ended. `refused`: retrying soon would have the same result. */
export interface StreamEnd {
  kind: 'lost' | 'refused';
  /** `revoked`, `version`, `duplicate`, or the name of a gRPC status. */
  code: string;
  detail: string;
  /** The delay before the next attempt that the control plane requests. */
  retryAfterMs?: number;
}

export interface StreamEvents {
  message(message: ToNode__Output): void;
  writable(): void;
  /** Called once, unless `close` was called before. */
  ended(end: StreamEnd): void;
}

/** One stream on its own connection. */
export interface LinkStream {
  /** Returns false when the sender must wait until `writable` is called. */
  write(message: FromNode): boolean;
  /** Ends the stream, waits until the control plane has ended it too, then closes the connection. */
  end(): Promise<void>;
  /** Closes the connection at once. */
  close(): void;
}

export type OpenStream = (address: string, credentials: NodeCredentials, events: StreamEvents) => LinkStream;

/** The longest time that `end` waits for the control plane. */
const END_MS_MAX = 1_000;

/**
 * `instance` identifies this process. A second stream of the same process replaces the first at once. A stream of
 * another process with the same credential is refused as a duplicate until the first one is silent.
 */
export function createOpenStream(needs: { openChannel: OpenChannel; instance: string; clock: Clock }): OpenStream {
  const { clock } = needs;
  return (address, credentials, events) => {
    const client = needs.openChannel(address, credentials.authorityPem);
    const metadata = bearer(credentials.credential);
    metadata.set(INSTANCE_METADATA, needs.instance);
    const call = client.connect(metadata);
    let isEnded = false;
    let resolveEnded: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      resolveEnded = resolve;
    });
    call.on('data', (message: ToNode__Output) => {
      if (!isEnded) events.message(message);
    });
    call.on('drain', () => {
      if (!isEnded) events.writable();
    });
    call.on('error', () => {
      // The same error always follows as a status.
    });
    call.on('status', (result) => {
      resolveEnded();
      client.close();
      if (isEnded) return;
      isEnded = true;
      events.ended(classify(result.code, result.details));
    });
    const close = () => {
      isEnded = true;
      call.cancel();
      client.close();
    };
    return {
      write: (message) => !isEnded && call.write(message),
      async end() {
        isEnded = true;
        call.end();
        await Promise.race([ended, clock.sleep(END_MS_MAX)]);
        close();
      },
      close,
    };
  };
}

/** Decides from the gRPC status whether the end of a stream is permanent. */
function classify(code: status, detail: string): StreamEnd {
  switch (code) {
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
      return { kind: 'refused', code: 'revoked', detail };
    case status.UNIMPLEMENTED:
      return { kind: 'refused', code: 'version', detail };
    case status.OK:
      return { kind: 'lost', code: 'OK', detail: 'the control plane ended the stream' };
    default:
      return { kind: 'lost', code: status[code], detail };
  }
}
