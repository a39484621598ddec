import type { Ids } from '../../storage/ids.js';
import type { MailState } from '../documents.js';
import type { MailProgress, TrackedMails } from '../mailer.js';
import type { MailStore } from '../store.js';
import type { MailAttachmentsStore } from './attachments-store.js';

const PROGRESS: Readonly<Record<MailState, MailProgress['state']>> = {
  pending: 'waiting',
  leased: 'waiting',
  sent: 'sent',
  failed: 'failed',
  expired: 'failed',
  skipped: 'failed',
};

export function createTrackedMails({
  store,
  attachments,
  ids,
}: {
  store: Pick<MailStore, 'states' | 'bulkWaiting' | 'withdraw'>;
  attachments: Pick<MailAttachmentsStore, 'insert'>;
  ids: Ids;
}): TrackedMails {
  return {
    newId: () => ids.next('mail'),
    async attach(tx, attachment) {
      const id = ids.next('mail');
      await attachments.insert(tx, id, attachment);
      return id;
    },
    async progress(mailIds) {
      const found = await store.states(mailIds);
      return new Map(
        found.map(({ _id, state, finished_ms, address_refused: refused = false }) => [
          _id,
          { state: PROGRESS[state], finishedMs: finished_ms, refused },
        ]),
      );
    },
    bulkWaiting: store.bulkWaiting,
    withdraw: store.withdraw,
  };
}
