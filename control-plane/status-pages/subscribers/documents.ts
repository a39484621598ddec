import type { PageLanguage } from '../words/languages.js';
import type { PageEvent } from './notify/page-event.js';

/** What a subscriber has chosen, and what they could see at the time. */
export interface SubscriberSettings {
  language: PageLanguage;
  /** Components of the page; null for all. */
  component_ids: string[] | null;
  /** Which page the subscriber could see (`access.ts`). */
  access: string;
}

/**
 * One document of `status_page_subscribers`. It ends with the subscription, and its mails with it. Of an address that
 * has unsubscribed, only the questions of the last 30 days are kept, by which the next ones are limited.
 */
export interface SubscriberDocument extends SubscriberSettings {
  /** `sub_…` */
  _id: string;
  workspace_id: string;
  page_id: string;
  type: 'email' | 'webhook';
  /** The address in lower case, or the URL. A page has one subscriber for each. */
  receiver: string;
  /** unconfirmed: the address was asked, and gets nothing. */
  state: 'unconfirmed' | 'confirmed';
  /** Of an e-mail address: the newest question; null for a webhook. */
  question: SubscriptionQuestion | null;
  /** The signing secret of a webhook, sealed; null for an e-mail address. */
  sealed: string | null;
  /** E-mail address or API key of the member who added it; null for visitors of the page. */
  created_by: string | null;
  created_at_ms: number;
  /** null until the address is confirmed. */
  confirmed_at_ms: number | null;
  /** Counts changes, for `ETag`. */
  version: number;
  /** The newest mail, until it is known whether its address was refused. */
  unsettled?: { mail_id: string; check_at_ms: number };
  /** The document is removed after this time. Missing once it is confirmed. */
  expires_at?: Date;
}

/** A mail that asks an address. Its answer sets the settings of the subscription. */
export interface SubscriptionQuestion extends SubscriberSettings {
  /** SHA-256 of the token in its link, hex. */
  token_hash: string;
  expires_at_ms: number;
  /** It was answered. Its page can still be opened. */
  answered?: true;
}

/** One document of `status_page_watches`: a page that has subscribers, and what they know of it. */
export interface WatchDocument {
  /** The id of the page. */
  _id: string;
  workspace_id: string;
  created_at_ms: number;
  /** When the page is compiled again. */
  next_at_ms: number;
  /** Counts the confirmations, so that a watch without subscribers ends only if none came meanwhile. */
  confirmed: number;
  /** False until it is stored what the page said before it had subscribers. */
  primed: boolean;
  /** Maintenance under way that subscribers know of. */
  active: ActiveMaintenance[];
  /** Since when updates wait to be sent; null while none does. */
  sending_since_ms: number | null;
  /** When a batch of the page was written last, so that pages take turns. */
  served_at_ms: number;
  /** The page was deleted: its subscribers are deleted in batches, and then this document. */
  page_deleted?: true;
}

export interface ActiveMaintenance {
  id: string;
  starts_at_ms: number;
  ends_at_ms: number;
  components: string[];
  component_ids: string[];
}

/** One document of `status_page_broadcasts`: something that happened on a page, for all of its subscribers. */
export interface BroadcastDocument {
  /** `<page>/<id of the event>`, so that each event is sent once. */
  _id: string;
  workspace_id: string;
  page_id: string;
  /** Of people; null otherwise. */
  incident_id: string | null;
  /** null once it is sent: only the id is needed then. */
  event: PageEvent | null;
  /** Sent to subscribers who had confirmed until then. */
  at_ms: number;
  /** The last subscriber whose mail was written; null at the begin. */
  cursor: string | null;
  /** Mails and webhooks written. */
  written: number;
  /** Missing once all are written. */
  open?: true;
  /** The document is removed after this time. */
  expires_at: Date;
}

/** One document of `status_page_deliveries`: an event for a webhook. It is deleted when it is final. */
export interface DeliveryDocument {
  /** `<broadcast>/<subscriber>`. */
  _id: string;
  workspace_id: string;
  page_id: string;
  subscriber_id: string;
  /** The body, as JSON. */
  body: string;
  created_at_ms: number;
  next_attempt_ms: number;
  attempts: number;
  refusals: number;
}
