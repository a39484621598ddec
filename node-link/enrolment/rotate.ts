import type { Clock } from '../../kernel/clock.js';
import { bearer, type OpenChannel } from '../channel.js';
import type { CredentialFile, NodeCredentials } from './credentials.js';

export const ROTATION_PERIOD_MS = 30 * 24 * 60 * 60 * 1000;
const ROTATE_DEADLINE_MS = 15_000;

/**
 * Requests a new credential, saves it together with the previous one, and returns them. The previous one stays valid
 * until the new one is first used, so the file always has a valid credential, even if this is interrupted.
 */
export async function rotate(needs: {
  current: NodeCredentials;
  address: string;
  openChannel: OpenChannel;
  file: CredentialFile;
  clock: Clock;
}): Promise<NodeCredentials> {
  const { current, clock } = needs;
  const client = needs.openChannel(needs.address, current.authorityPem);
  const deadline = clock.now() + ROTATE_DEADLINE_MS;
  const credential = await new Promise<string>((resolve, reject) => {
    client.rotate({}, bearer(current.credential), { deadline }, (error, response) => {
      if (error !== null) reject(error);
      else if (response === undefined || response.credential === '')
        reject(new Error('the response has no credential'));
      else resolve(response.credential);
    });
  }).finally(() => client.close());
  const rotated = { ...current, credential, previous: current.credential, issuedAtMs: clock.now() };
  needs.file.save(rotated);
  return rotated;
}
