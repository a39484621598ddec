import type { Clock } from '../../../kernel/clock.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import type { Random } from '../../../kernel/random.js';
import type { AuditLog } from '../../audit/audit.js';
import type { Recipients } from '../../recipients/recipients.js';
import type { Ids } from '../../storage/ids.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { Channels } from '../channels/all.js';
import type { ChannelStore } from './store.js';

/** What changes of channels need. */
export interface ChannelSettingsNeeds {
  store: ChannelStore;
  channels: Channels;
  recipients: Recipients;
  audit: AuditLog;
  box: SecretBox;
  guard: TargetGuard;
  ids: Ids;
  clock: Clock;
  random: Random;
}
