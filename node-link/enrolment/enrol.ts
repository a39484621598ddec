import { type ServiceError, status } from '@grpc/grpc-js';
import type { Clock } from '../../kernel/clock.js';
import type { EnrolResponse__Output } from '../../proto/generated/picket/link/v1/EnrolResponse.js';
import type { OpenChannel } from '../channel.js';
import { FingerprintError, fetchAuthority } from './authority.js';
import type { NodeCredentials } from './credentials.js';
import type { JoinToken } from './join-token.js';

const ENROL_DEADLINE_MS = 15_000;

/** A node could not join. `message` is one line for the operator. */
export class EnrolError extends Error {}

/** Status codes with which a control plane refuses the token itself. Another address would refuse it too. */
const TOKEN_REFUSED: ReadonlySet<status> = new Set([
  status.UNAUTHENTICATED,
  status.PERMISSION_DENIED,
  status.NOT_FOUND,
  status.FAILED_PRECONDITION,
  status.ALREADY_EXISTS,
  status.INVALID_ARGUMENT,
]);

interface EnrolNeeds {
  token: JoinToken;
  version: string;
  hostname: string;
  openChannel: OpenChannel;
  clock: Clock;
}

/** Exchanges the join token for a credential at the first address that answers. Throws EnrolError. */
export async function enrol(needs: EnrolNeeds): Promise<NodeCredentials> {
  const { token, clock } = needs;
  const failures: string[] = [];
  for (const address of token.addresses) {
    try {
      const authorityPem = await fetchAuthority(address, token.fingerprint, clock);
      const response = await callEnrol(needs, address, authorityPem);
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
  throw new EnrolError(`no control plane could be reached to use the join token: ${failures.join('; ')}`);
}

function callEnrol(needs: EnrolNeeds, address: string, authorityPem: string): Promise<EnrolResponse__Output> {
  const client = needs.openChannel(address, authorityPem);
  const request = { token: needs.token.secret, version: needs.version, hostname: needs.hostname };
  const deadline = needs.clock.now() + ENROL_DEADLINE_MS;
  return new Promise<EnrolResponse__Output>((resolve, reject) => {
    client.enrol(request, { deadline }, (error, response) => {
      if (error !== null) reject(enrolError(error, address));
      else if (response === undefined || response.credential === '') reject(new Error(`${address} sent no credential`));
      else resolve(response);
    });
  }).finally(() => client.close());
}

function enrolError(error: ServiceError, address: string): Error {
  if (TOKEN_REFUSED.has(error.code)) {
    return new EnrolError(
      `the control plane refused the join token (${error.details}): ` +
        'a join token works once and expires after 24 h; create a new one',
    );
  }
  return new Error(`${address}: ${error.details}`);
}
