import type { Role } from '../actor.js';
import type { PlanName } from '../plans/plans.js';

export interface WorkspaceDocument {
  _id: string;
  name: string;
  plan: PlanName;
  created_at_ms: number;
  /**
   * Set in the workspace that the first run made, and in no other: its owners and admins operate the installation while they
   * act in it.
   */
  operates_installation?: true;
  /**
   * When an owner confirmed their e-mail address. null: none has, so Picket sends nothing to anybody else. Missing in
   * workspaces of earlier versions and of the first run, which count as confirmed.
   */
  confirmed_at_ms?: number | null;
  /** The address of the person who created the workspace. Notifications may go to it before anybody has confirmed. */
  created_by_address?: string;
  /** Set by an operator; missing or null while the workspace may be used. */
  suspended?: { at_ms: number; reason: string } | null;
  /** Whether a session without a second factor may only set one up. Missing means false. */
  requires_second_factor?: boolean;
  /** Counts the changes of name and `requires_second_factor`. Missing before the first. */
  settings_version?: number;
  /** A requested deletion. A job deletes the workspace at `at_ms` unless somebody takes the request back. */
  deletion?: Deletion | null;
  /** When the workspace worked again after it was stopped last. */
  resumed_at_ms?: number | null;
  /** The larger plan before a downgrade, by which history is kept until then. */
  plan_kept?: { plan: PlanName; until_ms: number } | null;
  /** Counts the changes of plan and standing. `pending` while the last one is not applied to the monitors. */
  terms?: { revision: number; at: Date; pending?: true };
  /** Whether members must use the identity provider of the workspace. Missing or null: they need not. */
  single_sign_on?: { enforced: boolean; break_glass_user_id: string | null } | null;
}

export interface UserDocument {
  _id: string;
  /** Lower case; unique. */
  email: string;
  /** Argon2id in the PHC string format, after `keyed` if it needs the key; null for a person without a password. */
  password_hash: string | null;
  created_at_ms: number;
  /** null: not confirmed yet. Missing in accounts of earlier versions and of the first run, which count as confirmed. */
  email_confirmed_at_ms?: number | null;
  /** The address counts as confirmed because of `PICKET_CONFIRM_EMAIL=0`, and nobody has proved that it is theirs. */
  email_assumed?: true;
  /** The workspace in which the person worked last. The next log-in opens it. */
  last_workspace_id?: string;
  /** When somebody last tried to sign up with the address, and when the last mail with a link for a new password was asked for. */
  sign_up_attempted_at_ms?: number;
  reset_requested_at_ms?: number;
  /** How many of these mails in a row nobody used. Missing: none. */
  reset_mails_unused?: number;
  deletion?: Deletion | null;
}

export interface Deletion {
  requested_at_ms: number;
  /** The id of the user who requested it. */
  by: string;
  at_ms: number;
}

export interface MembershipDocument {
  /** `<workspace>/<user>`. */
  _id: string;
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at_ms: number;
  /** How often the role changed. Missing means never. */
  changes?: number;
  /** When a session last worked in the workspace, accurate to a minute. */
  last_active_at_ms?: number;
}
