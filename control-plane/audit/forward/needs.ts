import type { Clock } from '../../../kernel/clock.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { Random } from '../../../kernel/random.js';
import type { Ids } from '../../storage/ids.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { AuditLog } from '../audit.js';
import type { ForwardedEntries } from './delivery/entries-store.js';
import type { ForwarderStore } from './store.js';

/** The shared needs of creating, updating and deleting a forwarder. */
export interface ForwarderNeeds {
  store: ForwarderStore;
  entries: ForwardedEntries;
  audit: AuditLog;
  box: SecretBox;
  guard: TargetGuard;
  ids: Ids;
  clock: Clock;
  random: Random;
}
