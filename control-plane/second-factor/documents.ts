/** What a person can prove beside the password, except passkeys. */
export interface SecondFactorDocument {
  /** The id of the user. */
  _id: string;
  totp: TotpDocument | null;
  /** An enrolment that the person has not verified yet. */
  pending: { sealed_secret: string; expires_at_ms: number } | null;
  recovery: RecoveryCodesDocument | null;
  /**
   * The number of passkeys. Every change of a passkey writes it, so a log-in reads one document, and two concurrent
   * changes of one person conflict.
   */
  passkeys: number;
}

export interface TotpDocument {
  /** The secret, sealed for the user. */
  sealed_secret: string;
  since_ms: number;
  /** The newest time step of which a code was accepted. A code of this step or an earlier one is refused. */
  last_step: number;
  /** When the person was last notified of a repeated code. Missing: never. */
  repeated_at_ms?: number;
}

export interface RecoveryCodesDocument {
  /** Random for each set of codes, so that the same code has another hash in another set. */
  salt: string;
  /** Keyed hashes of the codes that are left. */
  hashes: string[];
}

export interface PasskeyDocument {
  _id: string;
  user_id: string;
  name: string;
  /** The id that the authenticator chose, in base64url; unique. */
  credential_id: string;
  /** The COSE key in base64url. */
  public_key: string;
  /** The signature counter; always 0 for authenticators that do not count. */
  counter: number;
  /** How a browser reaches the authenticator: `internal`, `usb`, `hybrid`. */
  transports: string[];
  /** Whether the provider of the authenticator keeps a copy, so that the passkey outlives the device. */
  backed_up: boolean;
  created_at_ms: number;
  last_used_at_ms: number | null;
  /** Counts changes of the name. */
  version: number;
}
