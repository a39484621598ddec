import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
/** The Standard Webhooks scheme asks for 24 to 64. */
export const SECRET_BYTES = 32;

/** A signing secret as its receiver gets it. */
export function webhookSecret(bytes: Buffer): string {
  return `${SECRET_PREFIX}${bytes.toString('base64')}`;
}

/** The three headers of the Standard Webhooks scheme. `id` is the same in every attempt, the time is the attempt's. */
export function signatureHeaders(secret: string, id: string, attemptMs: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(attemptMs / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
