import type { Role, Scope } from '../actor.js';
import type { PlanName } from '../plans/plans.js';

export interface WorkspaceDocument {
  _id: string;
  name: string;
  plan: PlanName;
  created_at_ms: number;
}

export interface UserDocument {
  _id: string;
  /** Lower case; unique. */
  email: string;
  /** Argon2id in the PHC string format. */
  password_hash: string;
  /** May use `/v1/admin/...`. */
  operator: boolean;
  created_at_ms: number;
}

export interface MembershipDocument {
  /** `<workspace>/<user>`. */
  _id: string;
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at_ms: number;
}

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
  expires_at_ms: number | null;
  revoked_at_ms: number | null;
}
