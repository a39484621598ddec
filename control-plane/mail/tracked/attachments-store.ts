import { Binary, type Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import { ATTACHMENT_BYTES_MAX, type MailAttachment } from '../mailer.js';

/** An attempt that began just before the mail expired still reads it. */
const REMOVED_AFTER_MS = 3_600_000;

/** One document of `mail_attachments`. */
interface AttachmentDocument {
  _id: string;
  workspace_id: string;
  name: string;
  type: string;
  bytes: Binary;
  /** The document is removed after this time. */
  remove_at: Date;
}

/** Stores each attachment once, however many mails have it. */
export interface MailAttachmentsStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, id: string, attachment: MailAttachment): Promise<void>;
  /** Returns null when it was removed, with its workspace or because it expired. */
  find(id: string): Promise<Pick<MailAttachment, 'name' | 'type' | 'bytes'> | null>;
}

export function createMailAttachmentsStore(db: Db): MailAttachmentsStore {
  const attachments = db.collection<AttachmentDocument>('mail_attachments');
  return {
    async ensureIndexes() {
      await attachments.createIndexes([{ key: { workspace_id: 1 } }, { key: { remove_at: 1 }, expireAfterSeconds: 0 }]);
    },
    async insert(tx, id, { workspaceId, name, type, bytes, expiresAtMs }) {
      if (bytes.byteLength > ATTACHMENT_BYTES_MAX) throw new Error('the attachment is too large');
      await attachments.insertOne(
        {
          _id: id,
          workspace_id: workspaceId,
          name,
          type,
          bytes: new Binary(bytes),
          remove_at: new Date(expiresAtMs + REMOVED_AFTER_MS),
        },
        { session: tx.session },
      );
    },
    async find(id) {
      const found = await attachments.findOne({ _id: id });
      return found === null ? null : { name: found.name, type: found.type, bytes: found.bytes.value() };
    },
  };
}
