import { status } from '@grpc/grpc-js';
import type { Clock } from '../kernel/clock.js';
import type { FromNode } from '../proto/generated/picket/link/v1/FromNode.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import { bearer, type OpenChannel } from './channel.js';
import type { NodeCredentials } from './enrolment/credentials.js';

/** Why a stream is over. `refused`: trying again soon would bring the same. */
export interface StreamEnd {
  kind: 'lost' | 'refused';
  /** `revoked`, `version`, `duplicate`, or the name of a gRPC status. */
  code: string;
  detail: string;
}

export interface StreamEvents {
  message(message: ToNode__Output): void;
  writable(): void;
  /** Once, unless `close` was called before. */
  ended(end: StreamEnd): void;
}

/** One stream on one connection of its own. */
export interface LinkStream {
  /** false: hold back until `writable`. */
  write(message: FromNode): boolean;
  /** Says that nothing more comes, lets the other side finish, then closes. */
  end(): Promise<void>;
  /** Drops the connection. */
  close(): void;
}

export type OpenStream = (address: string, credentials: NodeCredentials, events: StreamEvents) => LinkStream;

/** How long the other side may take to end a stream that we have ended. */
const END_MS_MAX = 1_000;

/** The metadata entry in which this process names itself. */
const INSTANCE = 'picket-instance';

/**
 * `instance` names this process: a second stream of the same one takes over from the first at once, one of another
 * process with the same credential is a duplicate until the first is silent.
 */
export function createOpenStream(options: { openChannel: OpenChannel; instance: string; clock: Clock }): OpenStream {
  const { clock } = options;
  return (address, credentials, events) => {
    const client = options.openChannel(address, credentials.authorityPem);
    const metadata = bearer(credentials.credential);
    metadata.set(INSTANCE, options.instance);
    const call = client.connect(metadata);
    let over = false;
    let wasEnded: () => void = () => {};
    const ended = new Promise<void>((resolve) => {
      wasEnded = resolve;
    });
    call.on('data', (message: ToNode__Output) => {
      if (!over) events.message(message);
    });
    call.on('drain', () => {
      if (!over) events.writable();
    });
    call.on('error', () => {
      // The status, which always follows, says the same.
    });
    call.on('status', (result) => {
      wasEnded();
      client.close();
      if (over) return;
      over = true;
      events.ended(classify(result.code, result.details));
    });
    const close = () => {
      over = true;
      call.cancel();
      client.close();
    };
    return {
      write: (message) => !over && call.write(message),
      async end() {
        over = true;
        call.end();
        await Promise.race([ended, clock.sleep(END_MS_MAX)]);
        close();
      },
      close,
    };
  };
}

/** The one place that tells what passes from what stays. */
export function classify(code: status, detail: string): StreamEnd {
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
