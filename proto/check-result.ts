/** The values of the text fields of `CheckResult` in link.proto. Probes send them; the control plane rejects others. */

/** Why a check failed. */
export const CHECK_ERROR_CODES = [
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'connect_timeout',
  'tls_handshake',
  'tls_untrusted',
  'tls_expired',
  'tls_name_mismatch',
  'response_timeout',
  'status_mismatch',
  'keyword_missing',
  'keyword_present',
  'too_many_redirects',
  'response_too_large',
  'blocked_target',
  'packet_loss',
  'unreachable',
  'protocol_error',
] as const;
export type CheckErrorCode = (typeof CHECK_ERROR_CODES)[number];

/** Why a check was made: by its schedule, or for a `RunNow` command with this reason. */
export const CHECK_REASONS = ['schedule', 'confirm', 'manual', 'resume', 'recovery'] as const;
export type CheckReason = (typeof CHECK_REASONS)[number];

/**
 * `F`: expired. `T`: not trusted or for another name. `C`: expires within 14 days. `B`: old TLS version or short key.
 * `A` and `A+`: good.
 */
export const CERTIFICATE_GRADES = ['A+', 'A', 'B', 'C', 'T', 'F'] as const;
export type CertificateGrade = (typeof CERTIFICATE_GRADES)[number];
