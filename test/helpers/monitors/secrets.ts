import { createMonitorSecrets, type MonitorSecrets } from '../../../control-plane/monitors/secrets/secrets.js';
import { createSecretBox, SECRET_KEY_BYTES } from '../../../control-plane/storage/secret-box.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';

/** The same in each test, so that several control planes of a test can open each other's secrets. */
const KEY = Buffer.alloc(SECRET_KEY_BYTES, 1);

/** Seals and opens the secrets of monitors with a fixed key. */
export function monitorSecrets(logger = createLogger({ name: 'test', level: 'silent' })): MonitorSecrets {
  return createMonitorSecrets({ box: createSecretBox(KEY, systemRandom), logger });
}
