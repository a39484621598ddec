import { Webhook } from 'standardwebhooks';

/** The Standard Webhooks specification allows 24 to 64. */
export const SECRET_BYTES = 32;

/** Returns a signing secret in the format that receivers configure. */
export function webhookSecret(bytes: Buffer): string {
  return `whsec_${bytes.toString('base64')}`;
}

/**
 * Returns the three headers of the Standard Webhooks specification. `id` is the same for every attempt, `attemptMs`
 * differs.
 */
export function signatureHeaders(secret: string, id: string, attemptMs: number, body: string): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(attemptMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, new Date(attemptMs), body),
  };
}
