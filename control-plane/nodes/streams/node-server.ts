import { experimental, Server } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import { MESSAGE_BYTES_MAX } from '../../../proto/limits.js';
import type { loadNodeLink } from '../../../proto/load.js';
import type { CertificateAuthority, ServerIdentity } from '../enrolment/certificate-authority.js';
import type { Connections } from './connections/connections.js';
import { type Listener, listenFor } from './connections/listener.js';
import { drainStreams } from './drain.js';
import type { Gateway } from './gateway.js';
import { boundedService } from './limits/bounded-service.js';

const KEEPALIVE_MS = 20_000;
const KEEPALIVE_TIMEOUT_MS = 10_000;
/** A node has one stream, and two while it reconnects. */
const STREAMS_PER_CONNECTION_MAX = 16;

/** The gRPC port. */
export interface NodeServer {
  /** Resolves to the port. With port 0 the system chooses it. */
  listen(host: string, port: number): Promise<number>;
  /** Moves the nodes to other control planes and closes the port, within 8 s. */
  drain(): Promise<void>;
}

export function createNodeServer(needs: {
  NodeLink: ReturnType<typeof loadNodeLink>;
  gateway: Gateway;
  connections: Connections;
  authority: CertificateAuthority;
  announceDrain(): Promise<void>;
  clock: Clock;
  random: Random;
  logger: Logger;
}): NodeServer {
  const { NodeLink, gateway, connections, authority, announceDrain, clock, random, logger } = needs;
  const server = new Server({
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_TIMEOUT_MS,
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_concurrent_streams': STREAMS_PER_CONNECTION_MAX,
    // Nobody reads these statistics, and they need memory for each connection.
    'grpc.enable_channelz': 0,
  });
  server.addService(boundedService(NodeLink.service), gateway.handlers);
  let listener: Listener | null = null;
  return {
    async listen(host, port) {
      const { injectConnection } = server.createConnectionInjector(credentialsOf(authority));
      listener = await listenFor({ host, port, connections, serve: injectConnection });
      return listener.port;
    },
    async drain() {
      listener?.stop();
      // Only tells the nodes to make no further calls. Its callback would wait for the streams, which are ended below.
      server.tryShutdown(() => {});
      await drainStreams({ gateway, announce: announceDrain, clock, random }).catch((error: unknown) => {
        logger.error({ err: error }, 'moving nodes to other control planes failed; their connections are closed');
      });
      server.forceShutdown();
      connections.close();
      authority.close();
    },
  };
}

/** Returns server credentials that use a renewed certificate for new connections. */
function credentialsOf(
  authority: CertificateAuthority,
): ReturnType<typeof experimental.createCertificateProviderServerCredentials> {
  const stops = new Map<unknown, () => void>();
  const provider: experimental.CertificateProvider = {
    // Nodes have no certificates.
    addCaCertificateListener: () => {},
    removeCaCertificateListener: () => {},
    addIdentityCertificateListener(listener) {
      const give = ({ chain, key }: ServerIdentity) =>
        listener({ certificate: Buffer.from(chain), privateKey: Buffer.from(key) });
      // grpc-js watches only after this call returns, so a certificate given within it would be lost.
      queueMicrotask(() => stops.set(listener, authority.onIdentity(give)));
    },
    removeIdentityCertificateListener(listener) {
      stops.get(listener)?.();
      stops.delete(listener);
    },
  };
  return experimental.createCertificateProviderServerCredentials(provider, null, false);
}
