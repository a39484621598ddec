import type { Clock } from '../../kernel/clock.js';
import type { AuditLog } from '../audit/audit.js';
import type { ChannelIds } from '../notifications/notifications.js';
import type { ReferenceLock } from '../references/lock.js';
import type { Ids } from '../storage/ids.js';
import type { ResolveObsolete } from './alert-rules.js';
import type { Handlers } from './evaluate/handlers.js';
import type { RuleCache } from './evaluate/rule-cache.js';
import type { RuleTypes } from './rule-types.js';
import type { AlertRuleStore } from './store.js';

/** The shared needs of creating, updating and deleting alert rules. */
export interface AlertRuleNeeds {
  store: AlertRuleStore;
  cache: Pick<RuleCache, 'invalidate'>;
  types: RuleTypes;
  handlers: Handlers;
  channels: ChannelIds;
  /** Of the targets. */
  referenceLock: Pick<ReferenceLock, 'refer'>;
  resolveObsolete: ResolveObsolete;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
}
