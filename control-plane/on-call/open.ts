import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { ManualChanges } from '../incidents/incidents.js';
import type { IncidentKinds } from '../incidents/kind.js';
import type { ChannelHeads, MessageSources } from '../notifications/notifications.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { SecretBox } from '../storage/secret-box.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createEndLinks } from './end-links.js';
import { createLinkTokens } from './link-token.js';
import { createMember } from './member.js';
import { onCallMount } from './mount.js';
import type { OpenLinkNeeds } from './open-link.js';
import { onCallRoutes } from './routes.js';
import { createRevocationsStore } from './store.js';

interface OnCallNeeds {
  db: Db;
  box: SecretBox;
  runTransaction: RunTransaction;
  workspaces: Pick<WorkspacesStore, 'findDocument'>;
  users: Pick<UsersStore, 'findByEmailIn'>;
  memberships: Pick<MembershipsStore, 'find'>;
  channels: ChannelHeads;
  recipients: OpenLinkNeeds['recipients'];
  incident: OpenLinkNeeds['incident'];
  incidents: ManualChanges;
  kinds: IncidentKinds;
  monitors: MessageSources['monitors'];
  locationName: MessageSources['locationName'];
  audit: AuditLog;
  /** Without a slash at the end. */
  publicUrl: string;
  clock: Clock;
  logger: Logger;
}

/** The page that a link in a notification opens: what is wrong, and buttons to acknowledge and silence, without log-in. */
export const onCallSlice: Slice<'onCall', OnCallNeeds, OpenedSlice> = {
  name: 'onCall',
  auditActions: ['on_call_links.revoked'],
  open(needs) {
    const { db, clock, logger } = needs;
    const revocations = createRevocationsStore(db);
    const guesses = createGuessLimit({ what: 'on-call link', store: createRateLimitStore(db), clock, logger });
    const tokens = createLinkTokens(needs.box);
    const endLinks = createEndLinks({ ...needs, revocations });
    return {
      routes: onCallRoutes({ ...needs, revocations }),
      mounts: [onCallMount({ ...needs, revocations, guesses, tokens, member: createMember(needs) })],
      memberAccess: [
        {
          ...{ name: 'link_channels_revoked', end: endLinks },
          endOfAddress: (tx, left) => endLinks(tx, { ...left, role: null }),
        },
      ],
      jobs: [guesses],
      ensureIndexes: revocations.ensureIndexes,
    };
  },
};
