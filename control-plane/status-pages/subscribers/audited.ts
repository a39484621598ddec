import type { AuditAction, AuditEvent } from '../../audit/audit.js';
import type { SubscriberDocument } from './documents.js';
import { maskedReceiver } from './view.js';

/**
 * Returns the audit event of a change of a subscriber. The audit log is kept longer than the subscription, so it never has the whole
 * address.
 */
export function subscriberAudited(
  action: AuditAction,
  subscriber: SubscriberDocument,
  metadata: Record<string, unknown> = {},
): AuditEvent {
  const { _id, page_id, type } = subscriber;
  return {
    action,
    resource: { type: 'status_page_subscriber', id: _id, name: maskedReceiver(subscriber) },
    metadata: { page: page_id, subscriber_type: type, ...metadata },
  };
}
