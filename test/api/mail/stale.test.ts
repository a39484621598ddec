import { Registry } from 'prom-client';
import t from 'tap';
import { createAttempt } from '../../../control-plane/mail/delivery/attempt.js';
import type { MailDocument } from '../../../control-plane/mail/documents.js';
import { createMailServer } from '../../../control-plane/mail/mail-server.js';
import { createMailMetrics } from '../../../control-plane/mail/metrics.js';
import type { MailSettlement } from '../../../control-plane/mail/store.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';

t.test(
  'a mail whose file took too long to read is released, because its lease could end while it is sent',
  async (t) => {
    const mailbox = await startMailbox();
    const server = createMailServer({ smtpUrl: mailbox.url, from: 'picket@picket.test' });
    t.teardown(async () => {
      server?.close();
      await mailbox.close();
    });
    if (server === null) throw new Error('no mail server');
    const clock = testClock(Date.UTC(2026, 0, 31, 12));
    const box = createSecretBox(Buffer.alloc(32, 7), systemRandom);
    const settled: MailSettlement[] = [];
    let readingMs = 0;
    const attempt = createAttempt(
      {
        ...{ server, box, clock, random: systemRandom, metrics: createMailMetrics(new Registry()) },
        ...{ logger: createLogger({ name: 'test', level: 'silent' }), publicUrl: 'https://picket.test' },
        attemptTimeoutMs: 60_000,
        attachments: {
          async find() {
            await clock.advance(readingMs);
            return { name: 'report.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF') };
          },
        },
        async recordResult(_mail, settlement) {
          settled.push(settlement);
          return true;
        },
      },
      { draining: new AbortController().signal, cutOff: new AbortController().signal },
    );
    const content = { heading: 'Report', paragraphs: [], facts: [], action: null, code: null, why: 'A test.' };
    const mail = {
      ...{ _id: 'mail_1', to: 'ann@example.com', kind: 'client_report', subject: 'Report', attachment_id: 'file' },
      ...{ attempts: 1, created_at_ms: clock.now(), expires_at_ms: clock.now() + 86_400_000 },
      sealed: box.seal(JSON.stringify(content), { purpose: 'mail', id: 'mail_1' }),
    } as unknown as MailDocument;
    readingMs = 11_000;
    t.equal(await attempt(mail, clock.monotonic()), 'not_contacted');
    t.match(settled, [{ state: 'pending', attempts: 0 }]);
    t.equal(mailbox.mails.length, 0);
    readingMs = 9_000;
    t.equal(await attempt(mail, clock.monotonic()), 'answered');
    t.match(settled[1], { state: 'sent' });
  },
);
