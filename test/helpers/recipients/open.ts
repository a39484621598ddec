import { Registry } from 'prom-client';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { AuditLog } from '../../../control-plane/audit/audit.js';
import { mailSlice } from '../../../control-plane/mail/open.js';
import type { StandingOf } from '../../../control-plane/plans/cache.js';
import { recipientsSlice } from '../../../control-plane/recipients/open.js';
import type { Ids } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import type { SecretBox } from '../../../control-plane/storage/secret-box.js';
import type { RunTransaction } from '../../../control-plane/storage/transaction.js';
import type { Clock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { allWork } from '../standing.js';

interface RecipientsOptions {
  mongo: Pick<Mongo, 'db'>;
  secretBox: SecretBox;
  ids: Ids;
  audit: AuditLog;
  runTransaction: RunTransaction;
  clock: Clock;
  /** Defaults to none. */
  smtpUrl?: string | null;
  /** The id of the operators' workspace. Defaults to none. */
  operatorsWorkspace?: () => string | null;
  /** Defaults to that of workspaces that work. */
  standingOf?: StandingOf;
  publicUrl?: string;
}

/** Opens the recipients slice and the mail slice that sends its questions, as the product does. */
export function openRecipients(options: RecipientsOptions) {
  const { secretBox: box, smtpUrl = null, standingOf = allWork, publicUrl = 'http://picket.test' } = options;
  const shared = {
    ...{ db: options.mongo.db, box, smtpUrl, publicUrl, random: systemRandom, clock: options.clock },
    ...{ ids: options.ids, logger: createLogger({ name: 'test', level: 'silent' }) },
  };
  const mail = mailSlice.open({ ...shared, registry: new Registry(), mailFrom: 'picket@picket.test' });
  const recipients = recipientsSlice.open({
    ...{ ...shared, mailer: mail.mailer, standingOf, audit: options.audit, runTransaction: options.runTransaction },
    workspaces: createWorkspacesStore(options.mongo.db),
    operatorsWorkspace: async () => options.operatorsWorkspace?.() ?? null,
  });
  return { mail, recipients };
}
