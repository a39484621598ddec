import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the next token is wrong. */
export interface Forgery {
  /** Replace claims of the ID token; undefined removes one. */
  claims?: Record<string, unknown>;
  /** `other`: a key that the provider does not publish. `none`: without a signature. `secret`: HMAC with the client's secret. */
  signedWith?: 'own' | 'other' | 'none' | 'secret';
}

export interface HostileProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The bodies of requests to the token endpoint. */
  exchanged: URLSearchParams[];
  forge(forgery: Forgery): void;
  /** Answers of the metadata, the keys and the token endpoint are replaced by this; null: no longer. */
  answerInstead(answer: { path: string; status: number; type: string; body: string; location?: string } | null): void;
  /** Runs once, before the next answer of the token endpoint. */
  beforeToken(run: () => Promise<unknown>): void;
  /** More members of the metadata. */
  metadata: Record<string, unknown>;
  close(): Promise<void>;
}

const CLIENT = { clientId: 'picket', clientSecret: 'a-secret-of-the-test' };

/** Starts a provider that does what the test says. Its right answer is a valid token for `sub` `ada`. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const keys = { own: newKey(), other: newKey() };
  const exchanged: URLSearchParams[] = [];
  const metadata: Record<string, unknown> = {};
  let forgery: Forgery = {};
  let instead: Parameters<HostileProvider['answerInstead']>[0] = null;
  let beforeToken: () => Promise<unknown> = async () => {};
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const path = (req.url ?? '').split('?')[0] ?? '';
    if (instead?.path === path) {
      const location = instead.location === undefined ? {} : { location: instead.location };
      return res.writeHead(instead.status, { 'content-type': instead.type, ...location }).end(instead.body);
    }
    const json = (value: unknown) => res.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (path === '/.well-known/openid-configuration') return json({ ...metadataOf(issuer), ...metadata });
    if (path === '/keys')
      return json({ keys: [{ ...keys.own.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] });
    if (path === '/token') {
      const run = beforeToken;
      beforeToken = async () => {};
      await run();
      exchanged.push(new URLSearchParams(Buffer.concat(chunks).toString()));
      const id_token = tokenOf(issuer, forgery, keys);
      return json({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token });
    }
    return res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ issuer, ...CLIENT, exchanged, metadata },
    forge(next) {
      forgery = next;
    },
    answerInstead(answer) {
      instead = answer;
    },
    beforeToken(run) {
      beforeToken = run;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function newKey() {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 });
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  };
}

function tokenOf(
  issuer: string,
  { claims = {}, signedWith = 'own' }: Forgery,
  keys: Record<'own' | 'other', { privateKey: KeyObject }>,
) {
  const now = Math.floor(Date.now() / 1_000);
  const right = {
    iss: issuer,
    aud: CLIENT.clientId,
    sub: 'ada',
    iat: now,
    exp: now + 300,
    email: 'ada@example.com',
    email_verified: true,
  };
  const alg = { own: 'RS256', other: 'RS256', none: 'none', secret: 'HS256' }[signedWith];
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg, kid: 'k', typ: 'JWT' })}.${part({ ...right, ...claims })}`;
  return `${signed}.${signatureOf(signed, signedWith, keys)}`;
}

function signatureOf(
  text: string,
  signedWith: string,
  keys: Record<'own' | 'other', { privateKey: KeyObject }>,
): string {
  if (signedWith === 'none') return '';
  if (signedWith === 'secret') return createHmac('sha256', CLIENT.clientSecret).update(text).digest('base64url');
  const { privateKey } = signedWith === 'own' ? keys.own : keys.other;
  return sign('sha256', Buffer.from(text), privateKey).toString('base64url');
}
