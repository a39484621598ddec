import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Client } from '../../http/client/client.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { FLOW_MS, type Flow, newChecks, sealFlow, settingsFingerprint } from '../oidc/flow.js';
import type { ProviderClient } from '../oidc/provider-client.js';
import { callbackUrl, startUrl } from '../urls.js';
import { emailAddress } from './email-address.js';
import type { FlowCookie } from './flow-cookie.js';
import { nextPath } from './next-path.js';
import type { ContinueAsked } from './page.js';
import type { Providers } from './providers.js';

/** With `confirm`, the person must have proved who they are within this time. */
export const CONFIRM_MAX_AGE_S = 60;

export interface StartNeeds {
  providers: Providers;
  client: ProviderClient;
  cookie: FlowCookie;
  box: SecretBox;
  publicUrl: string;
  clock: Clock;
  random: Random;
}

/** What the address that begins a log-in says. Nothing of it is trusted. */
export interface StartQuery {
  email?: string | undefined;
  workspace?: string | undefined;
  next?: string | undefined;
  /** Whether the provider must ask again who it is, for actions that need a fresh confirmation. */
  confirm?: boolean | undefined;
}

export type Started = { kind: 'redirect'; url: string; cookies: string[] } | { kind: 'page'; page: ContinueAsked };

/**
 * Begins a log-in: resolves to the address of the provider, and a cookie with everything that the answer is checked
 * against. When another site opened the address, it resolves to what a page asks first. Rejects with SignInRefused.
 */
export async function startSignIn(
  needs: StartNeeds,
  query: StartQuery,
  { fetchSite }: Pick<Client, 'fetchSite'>,
): Promise<Started> {
  const { providers, client, cookie, box, publicUrl, clock, random } = needs;
  const provider = await providers.toStart(query);
  const next = nextPath(query.next);
  if (fetchSite === 'cross-site' || fetchSite === 'same-site') {
    const href = startUrl(publicUrl, { ...query, next });
    const { host } = new URL(provider.settings.issuer);
    return { kind: 'page', page: { workspace: provider.workspace.name, issuer: host, href } };
  }
  const metadata = await client.discover(provider.settings.issuer);
  const checks = { ...newChecks(random), maxAgeS: query.confirm === true ? CONFIRM_MAX_AGE_S : null };
  const flow: Flow = {
    ...checks,
    provider: provider.id,
    settings: settingsFingerprint(provider.settings),
    next,
    expiresAtMs: clock.now() + FLOW_MS,
  };
  const request = { redirectUri: callbackUrl(publicUrl), loginHint: emailAddress(query.email)?.email ?? null };
  const url = await client.authorizationUrl(metadata, provider.settings, { ...checks, ...request });
  return { kind: 'redirect', url, cookies: [cookie.set(sealFlow(flow, box))] };
}
