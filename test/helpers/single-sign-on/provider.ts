import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** A person whom the provider knows. */
export interface ProviderAccount {
  sub: string;
  claims: Record<string, unknown>;
}

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whom the next log-in at the provider is of. null: the person cancels. */
  signInAs(account: ProviderAccount | null): void;
  /** Signs with a new key from now on. */
  rotateKeys(): void;
  /** Requests by path, for tests that count them. */
  requests: string[];
  /** Resets every connection, as a provider that is down. Its port stays its own. */
  stop(): void;
  /** Answers again. */
  start(): void;
  close(): Promise<void>;
}

/**
 * Starts the certified `oidc-provider` on a port of this machine, with one client whose redirect URI is `redirectUri`.
 * It shows no form: its interaction logs in the account of `signInAs`.
 */
export async function startOidcProvider({ redirectUri }: { redirectUri: string }): Promise<OidcProvider> {
  const accounts = new Map<string, ProviderAccount>();
  let current: ProviderAccount | null = null;
  const [clientId, clientSecret] = ['picket', `secret-${randomUUID()}`];
  const requests: string[] = [];
  let handle: (req: never, res: never) => void = () => {};
  const server = createServer((req, res) => {
    requests.push((req.url ?? '').split('?')[0] ?? '');
    handle(req as never, res as never);
  });
  let isDown = false;
  server.on('connection', (socket) => {
    if (isDown) socket.destroy();
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  function serve(): void {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'realm_access'] },
      // The ID token has all claims, so that most tests need no request to the userinfo endpoint.
      conformIdTokenClaims: false,
      cookies: { keys: [randomUUID()] },
      jwks: { keys: [signingKey()] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      async findAccount(_ctx: unknown, id: string) {
        const account = accounts.get(id);
        return account && { accountId: id, claims: async () => ({ ...account.claims, sub: id }) };
      },
      async loadExistingGrant(ctx: {
        oidc: {
          client: { clientId: string };
          session: { accountId: string };
          provider: { Grant: new (init: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
        };
      }) {
        const grant = new ctx.oidc.provider.Grant({
          clientId: ctx.oidc.client.clientId,
          accountId: ctx.oidc.session.accountId,
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
    } as never);
    const callback = provider.callback();
    handle = (req, res) => {
      const { url = '' } = req as { url?: string };
      if (!url.startsWith('/interaction/')) return void callback(req, res);
      const account = current;
      if (account !== null) accounts.set(account.sub, account);
      const result = account === null ? { error: 'access_denied' } : { login: { accountId: account.sub } };
      provider.interactionFinished(req, res, result).catch(() => (res as { destroy(): void }).destroy());
    };
  }

  serve();
  return {
    ...{ issuer, clientId, clientSecret, requests },
    signInAs(account) {
      current = account;
    },
    rotateKeys: serve,
    stop() {
      isDown = true;
      server.closeAllConnections();
    },
    start() {
      isDown = false;
    },
    close: () => stop(server),
  };
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

function listen(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

function stop(server: ReturnType<typeof createServer>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
