import type { RoleRule } from './sign-in/role.js';

/** The identity provider of a workspace. One document of `single_sign_on`. */
export interface ProviderDocument extends RoleRule {
  /** The workspace. */
  _id: string;
  /** `sso_…`, for the audit log. */
  provider_id: string;
  /** As the provider writes it in its tokens. */
  issuer: string;
  client_id: string;
  /** Encrypted by the secret box. */
  client_secret: string;
  scopes: string[];
  created_at_ms: number;
  updated_at_ms: number;
  version: number;
}

/** A domain that a workspace claims. One document of `single_sign_on_domains`. */
export interface DomainDocument {
  /** `<workspace>/<domain>`. */
  _id: string;
  workspace_id: string;
  /** In lower case and punycode. */
  domain: string;
  /** Random; the TXT record must contain it. */
  token: string;
  /** null until the record was found. A unique index allows one workspace for each verified domain. */
  verified_at_ms: number | null;
  /** When the record was last looked up; null before the first time. */
  checked_at_ms: number | null;
  created_at_ms: number;
  /** Counts the checks, for `ETag`. */
  version: number;
}

/** Which subject of which provider is which user. One document of `single_sign_on_identities`. */
export interface IdentityDocument {
  /** SHA-256 of provider, issuer and subject, in hexadecimal. */
  _id: string;
  /** The workspace of the provider, or `installation`. */
  provider: string;
  issuer: string;
  subject: string;
  user_id: string;
  created_at_ms: number;
  last_used_at_ms: number;
}
