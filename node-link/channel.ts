import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext } from 'node:tls';
import { type ChannelOptions, credentials, Metadata } from '@grpc/grpc-js';
import type { NodeLinkClient } from '../proto/generated/picket/link/v1/NodeLink.js';
import type { loadNodeLink } from '../proto/load.js';
import { SERVER_NAME } from './enrolment/authority.js';
import { splitAddress } from './enrolment/join-token.js';

/** Opens one gRPC connection to a control plane, over TLS that trusts the pinned authority only. */
export type OpenChannel = (address: string, authorityPem: string) => NodeLinkClient;

/** Complete assignments of a location come in pieces well below this. */
const RECEIVE_BYTES_MAX = 16 * 1024 * 1024;

const CHANNEL_OPTIONS: ChannelOptions = {
  'grpc.keepalive_time_ms': 15_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  // A retry buffer under a stream that lives for weeks only grows; the node itself sends again what is not acknowledged.
  'grpc.enable_retries': 0,
  'grpc.max_receive_message_length': RECEIVE_BYTES_MAX,
  // Otherwise a new try could be given the dead connection of the one before.
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
};

export function createOpenChannel(NodeLink: ReturnType<typeof loadNodeLink>): OpenChannel {
  return (address, authorityPem) => {
    const { host, port } = splitAddress(address);
    const family = isIP(host);
    const target =
      family === 0 ? `dns:${host}:${port}` : family === 4 ? `ipv4:${host}:${port}` : `ipv6:[${host}]:${port}`;
    // An operator's own certificate may be anchored by an intermediate: what is pinned is what is trusted.
    const context = createSecureContext({ ca: authorityPem, allowPartialTrustChain: true });
    const tls = credentials.createFromSecureContext(context, {
      // The embedded authority signs for one name; an operator's own certificate stands for the host.
      checkServerIdentity: (_name, certificate) =>
        checkServerIdentity(SERVER_NAME, certificate) === undefined
          ? undefined
          : checkServerIdentity(host, certificate),
    });
    const servername = family === 0 ? host : SERVER_NAME;
    return new NodeLink(target, tls, { ...CHANNEL_OPTIONS, 'grpc.ssl_target_name_override': servername });
  };
}

/** Identifies the caller: the control plane reads the node's identity from this and from nothing else. */
export function bearer(credential: string): Metadata {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${credential}`);
  return metadata;
}
