import { type ServiceError, status } from '@grpc/grpc-js';
import type { Clock } from '../../kernel/clock.js';
import type { EnrolResponse__Output } from '../../proto/generated/picket/link/v1/EnrolResponse.js';
import type { OpenChannel } from '../channel.js';
import { FingerprintError, fetchAuthority } from './authority.js';
import type { NodeCredentials } from './credentials.js';
import type { JoinToken } from './join-token.js';

const ENROL_DEADLINE_MS = 15_000;

/** Why a node could not join, in words for the operator who reads the one line that it prints. */
export class EnrolError extends Error {}

/** Statuses by which a control plane turns down the token itself; another address would say the same. */
const TOKEN_REFUSED: ReadonlySet<status> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.NOT_FOUND,
  status.FAILED_PRECONDITION,
  status.ALREADY_EXISTS,
  status.INVALID_ARGUMENT,
]);

/** Trades the join token for a credential at the first address that answers. Throws `EnrolError`. */
export async function enrol(options: {
  token: JoinToken;
  version: string;
  hostname: string;
  openChannel: OpenChannel;
  clock: Clock;
}): Promise<NodeCredentials> {
  const { token, clock } = options;
  const failures: string[] = [];
  for (const address of token.addresses) {
    try {
      const authorityPem = await fetchAuthority(address, token.fingerprint, clock);
      const response = await callEnrol(options, address, authorityPem);
      return {
        nodeId: response.nodeId,
        location: response.location,
        credential: response.credential,
        previous: null,
        authorityPem,
        addresses: token.addresses,
        issuedAtMs: clock.now(),
      };
    } catch (error) {
      if (error instanceof EnrolError) throw error;
      if (error instanceof FingerprintError) throw new EnrolError(error.message);
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new EnrolError(`no control plane took the join token: ${failures.join('; ')}`);
}

function callEnrol(
  options: { token: JoinToken; version: string; hostname: string; openChannel: OpenChannel; clock: Clock },
  address: string,
  authorityPem: string,
): Promise<EnrolResponse__Output> {
  const client = options.openChannel(address, authorityPem);
  const request = { token: options.token.secret, version: options.version, hostname: options.hostname };
  const deadline = options.clock.now() + ENROL_DEADLINE_MS;
  return new Promise<EnrolResponse__Output>((resolve, reject) => {
    client.enrol(request, { deadline }, (error, response) => {
      if (error !== null) reject(explain(error, address));
      else if (response === undefined || response.credential === '') reject(new Error(`${address} sent no credential`));
      else resolve(response);
    });
  }).finally(() => client.close());
}

function explain(error: ServiceError, address: string): Error {
  if (TOKEN_REFUSED.has(error.code)) {
    return new EnrolError(
      `the control plane refused the join token (${error.details}): a token is good for one node and 24 h, make a new one`,
    );
  }
  return new Error(`${address}: ${error.details}`);
}
