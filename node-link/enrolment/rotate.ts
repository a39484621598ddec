import type { Clock } from '../../kernel/clock.js';
import { bearer, type OpenChannel } from '../channel.js';
import type { CredentialFile, NodeCredentials } from './credentials.js';

export const ROTATION_PERIOD_MS = 30 * 24 * 60 * 60 * 1000;
const ROTATE_DEADLINE_MS = 15_000;

/**
 * Asks for a new credential and writes it down, the old one beside it. The old one stays valid until the new one
 * is first used, so whenever this is cut off the file holds one that works. Resolves with what the file holds now.
 */
export async function rotate(options: {
  current: NodeCredentials;
  address: string;
  openChannel: OpenChannel;
  file: CredentialFile;
  clock: Clock;
}): Promise<NodeCredentials> {
  const { current, clock } = options;
  const client = options.openChannel(options.address, current.authorityPem);
  const deadline = clock.now() + ROTATE_DEADLINE_MS;
  const credential = await new Promise<string>((resolve, reject) => {
    client.rotate({}, bearer(current.credential), { deadline }, (error, response) => {
      if (error !== null) reject(error);
      else if (response === undefined || response.credential === '') reject(new Error('no credential came back'));
      else resolve(response.credential);
    });
  }).finally(() => client.close());
  const rotated = { ...current, credential, previous: current.credential, issuedAtMs: clock.now() };
  options.file.save(rotated);
  return rotated;
}
