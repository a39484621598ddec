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
  /**
   * The workspace whose identity provider opened the session. Its owners control the provider, so the session works only
   * in that workspace. Missing: the person proved to Picket itself who they are.
   */
  provider_workspace_id?: string;
  ip: string | null;
  /** The address bucket of `ip` at log-in: the address, or the /64 of an IPv6 address. */
  network: string;
  user_agent: string | null;
}
