import { Registry } from 'prom-client';
import type { MailDocument } from '../../../control-plane/mail/documents.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import { type MailNeeds, mailSlice } from '../../../control-plane/mail/open.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';

/** The key of all control planes of a test. */
const TEST_KEY = Buffer.alloc(32, 7);
export const PUBLIC_URL = 'https://picket.test';

/** Returns the mail slice of one control plane on a real database. Nothing runs yet. */
export function buildMail(mongo: Mongo, options: Partial<MailNeeds> = {}) {
  const registry = options.registry ?? new Registry();
  const clock = options.clock ?? systemClock;
  const { mailer, jobs, ensureIndexes } = mailSlice.open({
    ...{ db: mongo.db, registry, clock, random: systemRandom, ids: createIds(clock, systemRandom) },
    box: createSecretBox(TEST_KEY, systemRandom),
    logger: createLogger({ name: 'test', level: 'silent' }),
    ...{ publicUrl: PUBLIC_URL, smtpUrl: null, mailFrom: 'picket@picket.test' },
    ...options,
  });
  const runTransaction = createRunTransaction(mongo.client);
  return {
    mailer,
    ensureIndexes,
    runTransaction,
    /** Sends each mail in a transaction of its own. */
    async send(...mails: OutgoingMail[]) {
      for (const mail of mails) await runTransaction((tx) => mailer.send(tx, mail));
    },
    async start() {
      for (const job of jobs) await job.start();
    },
    async stop() {
      for (const job of jobs) await job.stop();
    },
    /** Returns `<kind> <status> <count>` of each value of the metric. */
    async counted(): Promise<string[]> {
      const metric = (await registry.getMetricsAsJSON()).find(({ name }) => name === 'picket_mails_total');
      const values = (metric?.values ?? []) as { value: number; labels: { kind?: string; status?: string } }[];
      return values.map(({ value, labels }) => `${labels.kind} ${labels.status} ${value}`).sort();
    },
    stored: () => mongo.db.collection<MailDocument>('mails').find().sort({ _id: 1 }).toArray(),
  };
}

export type TestMail = ReturnType<typeof buildMail>;

export const TOKEN = 'tok3n-kXq0V4nUuL9yF2m8sW1bR6dZ7pA5cEhG';

/** A mail with a token, valid for 30 minutes. */
export function testMail(over: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    to: 'ann@example.com',
    kind: 'password_reset',
    subject: 'Reset your password',
    heading: 'Reset your password',
    paragraphs: ['Somebody asked for a new password.'],
    action: { label: 'Choose a new password', url: `${PUBLIC_URL}/reset-password#token=${TOKEN}` },
    why: 'You get this e-mail because of a test.',
    expiresAtMs: Date.now() + 30 * 60_000,
    ...over,
  };
}
