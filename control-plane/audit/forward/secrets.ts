import type { SecretBox } from '../../storage/secret-box.js';

/** What of a forwarder is sealed. */
export interface ForwarderSecrets {
  /** The value of `Authorization`. */
  auth: string | null;
  /** A webhook's, `whsec_…`. */
  signingSecret: string | null;
}

export function sealSecrets(secrets: ForwarderSecrets, box: SecretBox): string {
  return box.seal(JSON.stringify(secrets));
}

/** Throws when it was sealed under another key. */
export function openSecrets(sealed: string, box: SecretBox): ForwarderSecrets {
  const parsed: { auth?: unknown; signingSecret?: unknown } = Object(JSON.parse(box.open(sealed)));
  return {
    auth: typeof parsed.auth === 'string' ? parsed.auth : null,
    signingSecret: typeof parsed.signingSecret === 'string' ? parsed.signingSecret : null,
  };
}

/** A receiver may send back what it was sent, so its words are cleaned of the secrets before anyone sees them. */
export function withoutSecrets(text: string, { auth, signingSecret }: ForwarderSecrets): string {
  const words = [auth, auth?.slice(auth.indexOf(' ') + 1), signingSecret];
  return words.reduce<string>(
    (clean, secret) =>
      secret === null || secret === undefined || secret === '' ? clean : clean.replaceAll(secret, '[secret]'),
    text,
  );
}
