/**
 * asked: got the mail that asks, and has not confirmed. confirmed: agreed to get mails of the workspace. stopped: wants
 * none any more. left: was a member's, and nobody has asked it since; stored because addresses of the operators' workspace
 * of which nothing is known are not asked.
 */
export type RecipientState = 'asked' | 'confirmed' | 'stopped' | 'left';

/** A document of the collection `recipients`: an address that was asked whether it wants the mails of a workspace. */
export interface RecipientDocument {
  /** `<workspace>/<address>`. */
  _id: string;
  workspace_id: string;
  /** Lower case. */
  address: string;
  state: RecipientState;
  changed_at_ms: number;
  /** The newest question; null if there was none, when the address stops the mails, and when it is no member's any more. */
  question: RecipientQuestion | null;
  /**
   * The state from before the mails were stopped, which the end of the stop restores; null when nothing was known of the
   * address. Missing in all other states, and where an earlier version has stored the stop: then it ends as `left`.
   */
  stopped_from?: Exclude<RecipientState, 'stopped'> | null;
}

/** A mail that asks an address. */
export interface RecipientQuestion {
  /** SHA-256 of the token in its link, hex. The token itself is not stored. */
  token_hash: string;
  asked_at_ms: number;
  expires_at_ms: number;
  /** The e-mail address of the person who asks; the name of the workspace when Picket asks by itself. */
  asked_by: string;
}

/** A document of the collection `recipient_quotas`: how many mails of a kind were sent for a subject on one day. */
export interface RecipientQuotaDocument {
  /** `<kind>/<subject>/<day>`. */
  _id: string;
  mails: number;
  /** The document is removed after this time. */
  remove_at: Date;
}
