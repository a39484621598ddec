import type { SecretBox } from '../../storage/secret-box.js';

/** The part of a forwarder that is stored encrypted. */
export interface ForwarderSecrets {
  /** The value of `Authorization`. */
  auth: string | null;
  /** Of a webhook: `whsec_…`. */
  signingSecret: string | null;
}

/** `id` is that of the forwarder. */
export function sealSecrets(secrets: ForwarderSecrets, box: SecretBox, id: string): string {
  return box.seal(JSON.stringify(secrets), { purpose: 'forwarder', id });
}

/** Throws if the secrets were encrypted with another key, or for another forwarder. */
export function openSecrets({ _id: id, sealed }: { _id: string; sealed: string }, box: SecretBox): ForwarderSecrets {
  const text = box.open(sealed, { purpose: 'forwarder', id });
  const parsed: { auth?: unknown; signingSecret?: unknown } = Object(JSON.parse(text));
  return {
    auth: typeof parsed.auth === 'string' ? parsed.auth : null,
    signingSecret: typeof parsed.signingSecret === 'string' ? parsed.signingSecret : null,
  };
}

/** Removes the secrets from text of a receiver, which may echo what it was sent. */
export function withoutSecrets(text: string, { auth, signingSecret }: ForwarderSecrets): string {
  const secrets = [auth, auth?.slice(auth.indexOf(' ') + 1), signingSecret];
  return secrets.reduce<string>(
    (clean, secret) =>
      secret === null || secret === undefined || secret === '' ? clean : clean.replaceAll(secret, '[secret]'),
    text,
  );
}
