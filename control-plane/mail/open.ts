import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import type { Job, OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { SecretBox } from '../storage/secret-box.js';
import { createMailCountsStore } from './counts-store.js';
import { createMailer } from './create-mailer.js';
import { createAttempt } from './delivery/attempt.js';
import { createDeliverer } from './delivery/deliver.js';
import { createRecordResult } from './delivery/record-result.js';
import { createServerHealth } from './delivery/server-health.js';
import { createMailServer, type MailServer } from './mail-server.js';
import type { Mailer, TrackedMails } from './mailer.js';
import { createMailMetrics, type MailMetrics } from './metrics.js';
import { createMailStore, type MailStore } from './store.js';
import { createMailAttachmentsStore, type MailAttachmentsStore } from './tracked/attachments-store.js';
import { createTrackedMails } from './tracked/tracked.js';
import { createWatchWaiting } from './watch-waiting.js';

export interface MailNeeds {
  db: Db;
  box: SecretBox;
  ids: Ids;
  registry: Registry;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Without a slash at the end. */
  publicUrl: string;
  smtpUrl: string | null;
  mailFrom: string;
  /** For tests: how long other control planes leave a claimed mail alone. */
  leaseMs?: number;
  /** For tests: the time limit of one attempt. */
  attemptTimeoutMs?: number;
}

/** The mail slice as other slices use it. */
export interface OpenMail extends OpenedSlice {
  mailer: Mailer;
  tracked: TrackedMails;
  jobs: Job[];
  ensureIndexes(): Promise<void>;
}

/**
 * Time limit of a whole attempt. A mail server may examine the content for long before it confirms it, and one that has not
 * confirmed it in time delivers the mail and gets it again.
 */
const ATTEMPT_TIMEOUT_MS = 60_000;
/** A holder that has recorded no result within this time counts as dead. An attempt starts within 10 s of its claim. */
const LEASE_MS = 90_000;
/** A mail server that refuses for now is asked again after minutes. */
const LATE_MS = 10 * 60_000;

function openMail(needs: MailNeeds): OpenMail {
  const store = createMailStore(needs.db);
  const counts = createMailCountsStore(needs.db);
  const attachments = createMailAttachmentsStore(needs.db);
  const metrics = createMailMetrics(needs.registry);
  const server = createMailServer({ smtpUrl: needs.smtpUrl, from: needs.mailFrom });
  const delivery = server === null ? null : openDelivery(needs, { store, attachments, metrics, server });
  const wake = () => delivery?.wake();
  return {
    mailer: createMailer({ ...needs, store, counts, metrics, hasServer: server !== null, wake }),
    tracked: createTrackedMails({ ...needs, store, attachments }),
    async ensureIndexes() {
      await Promise.all([store.ensureIndexes(), attachments.ensureIndexes()]);
    },
    backlogs: [
      {
        ...{ name: 'mails', lateMs: LATE_MS },
        async read(countMax) {
          const { mails, oldestMs } = await counts.waiting(countMax);
          return { waiting: mails, oldestMs };
        },
      },
    ],
    jobs: delivery === null ? [] : [delivery, createWatchWaiting({ ...needs, counts, metrics })],
  };
}

function openDelivery(
  needs: MailNeeds,
  parts: { store: MailStore; attachments: MailAttachmentsStore; metrics: MailMetrics; server: MailServer },
) {
  const draining = new AbortController();
  const cutOff = new AbortController();
  const shared = { ...needs, ...parts };
  const recordResult = createRecordResult(shared, cutOff.signal);
  const attemptTimeoutMs = needs.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS;
  const attempt = createAttempt(
    { ...shared, recordResult, attemptTimeoutMs },
    { draining: draining.signal, cutOff: cutOff.signal },
  );
  const leaseMs = needs.leaseMs ?? LEASE_MS;
  const health = createServerHealth(needs);
  const deliverer = createDeliverer({ ...shared, attempt, recordResult, health, leaseMs, draining, cutOff });
  return {
    ...deliverer,
    async stop() {
      await deliverer.stop();
      parts.server.close();
    },
  };
}

/**
 * Mails about accounts and workspaces: sign-up, invitations, security notices. Notifications of incidents have their
 * own outbox.
 */
export const mailSlice = {
  name: 'mail',
  idPrefixes: ['mail'],
  open: openMail,
} satisfies Slice<'mail', MailNeeds, OpenMail>;
