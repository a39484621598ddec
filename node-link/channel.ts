import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, type SecureContext } from 'node:tls';
import { type ChannelOptions, credentials, Metadata } from '@grpc/grpc-js';
import type { NodeLinkClient } from '../proto/generated/picket/link/v1/NodeLink.js';
import { SERVER_NAME } from '../proto/handshake.js';
import type { loadNodeLink } from '../proto/load.js';
import { endWithChannel } from './ending-credentials.js';
import { splitAddress } from './enrolment/join-token.js';

/** Opens one gRPC connection to a control plane, over TLS that trusts only the pinned authority. */
export type OpenChannel = (address: string, authorityPem: string) => NodeLinkClient;

/** The assignments of a location are sent in messages far smaller than this. */
const RECEIVE_BYTES_MAX = 16 * 1024 * 1024;

const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.keepalive_time_ms': 15_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  // The retry buffer of a stream that lives for weeks only grows. The node itself resends unacknowledged records.
  'grpc.enable_retries': 0,
  'grpc.max_receive_message_length': RECEIVE_BYTES_MAX,
  // Otherwise a new attempt could reuse the dead connection of the previous one.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
};

export function createOpenChannel(NodeLink: ReturnType<typeof loadNodeLink>): OpenChannel {
  // Reading certificates is the most expensive part of an attempt, and the authority seldom changes.
  let last: { authorityPem: string; context: SecureContext } | null = null;
  function contextOf(authorityPem: string): SecureContext {
    if (last?.authorityPem === authorityPem) return last.context;
    // The pinned certificate may be an intermediate when an operator uses a certificate of its own.
    const context = createSecureContext({ ca: authorityPem, allowPartialTrustChain: true });
    last = { authorityPem, context };
    return context;
  }

  return (address, authorityPem) => {
    const { host, port } = splitAddress(address);
    const family = isIP(host);
    const target =
      family === 0 ? `dns:${host}:${port}` : family === 4 ? `ipv4:${host}:${port}` : `ipv6:[${host}]:${port}`;
    const tls = credentials.createFromSecureContext(contextOf(authorityPem), {
      // Certificates of the embedded authority have SERVER_NAME; one of the operator has the host's name.
      checkServerIdentity: (_name, certificate) =>
        checkServerIdentity(SERVER_NAME, certificate) === undefined
          ? undefined
          : checkServerIdentity(host, certificate),
    });
    const servername = family === 0 ? host : SERVER_NAME;
    return new NodeLink(target, endWithChannel(tls), {
      ...CHANNEL_OPTIONS,
      'grpc.ssl_target_name_override': servername,
    });
  };
}

/** Returns the metadata that identifies the caller to the control plane. */
export function bearer(credential: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${credential}`);
  return metadata;
}
