export type SignInMethod = 'password' | 'passkey' | 'single_sign_on' | 'header';

export interface SessionDocument {
  /** `ses_…` */
  _id: string;
  /** SHA-256 of the token in the cookie, hex; unique. The token itself is not stored. */
  token_hash: string;
  user_id: string;
  /** The workspace in which the session works. */
  workspace_id: string;
  created_at_ms: number;
  /** Accurate to a minute. */
  last_used_at_ms: number;
  expires_at_ms: number;
  /** For the index that removes old documents. `expires_at_ms` decides whether a session is valid. */
  expires_at: Date;
  /** When the person last proved who they are. */
  confirmed_at_ms: number;
  second_factor: boolean;
  method: SignInMethod;
  ip: string | null;
  /** The address bucket of `ip` at sign-in: the address, or the /64 of an IPv6 address. */
  network: string;
  user_agent: string | null;
}
