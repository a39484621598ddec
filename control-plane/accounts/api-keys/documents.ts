import type { Scope } from '../../actor.js';

export interface ApiKeyDocument {
  _id: string;
  workspace_id: string;
  /** The person who created the key. It acts in this person's name. */
  user_id: string;
  name: string;
  /** SHA-256 of the key, hex; unique. The key itself is not stored. */
  hash: string;
  last_four: string;
  scopes: (Scope | '*')[];
  created_at_ms: number;
  /** Accurate to a minute. */
  last_used_at_ms: number | null;
  /** The address bucket of the last use; missing before the first, and in keys of earlier versions. */
  last_used_network?: string;
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
  /** The key that replaces this one, which ends after an overlap. */
  replaced_by?: string;
  /** When the reminder that it expires soon was sent, or found not to be needed. */
  reminded_at_ms?: number;
}
