import type { Clock } from '../../../kernel/clock.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { type Identity, identityOf } from '../oidc/claims.js';
import { FLOW_MS, type Flow, openFlow, settingsFingerprint, stateHash } from '../oidc/flow.js';
import type { ProviderClient } from '../oidc/provider-client.js';
import { callbackUrl } from '../urls.js';
import type { FlowCookie } from './flow-cookie.js';
import type { ActiveProvider, Providers } from './providers.js';
import { SignInRefused } from './refusal.js';
import { claimNamed } from './role.js';
import type { UsedStatesStore } from './used-states-store.js';

export interface AnswerNeeds {
  providers: Providers;
  client: ProviderClient;
  usedStates: UsedStatesStore;
  cookie: FlowCookie;
  box: SecretBox;
  publicUrl: string;
  clock: Clock;
}

/**
 * Returns the log-in that an answer belongs to: the one in the cookie of this browser, with this state, at most ten
 * minutes old, and not answered before. Rejects with SignInRefused.
 */
export async function flowOfAnswer(
  { cookie, box, usedStates, clock }: AnswerNeeds,
  state: string | null,
  cookieHeader: string | null,
): Promise<Flow> {
  const flow = openFlow(cookie.read(cookieHeader), box);
  if (flow === null || state !== flow.state) throw new SignInRefused('other_browser');
  if (clock.now() >= flow.expiresAtMs) throw new SignInRefused('expired');
  // Kept for twice as long, because the clocks of control planes differ.
  if (!(await usedStates.use(stateHash(flow.state), flow.expiresAtMs + FLOW_MS)))
    throw new SignInRefused('already_used');
  return flow;
}

/** Resolves to the provider of a log-in, unless its settings were changed since the start. */
export async function providerOfFlow({ providers }: AnswerNeeds, flow: Flow): Promise<ActiveProvider> {
  const provider = await providers.byId(flow.provider);
  if (settingsFingerprint(provider.settings) !== flow.settings) throw new SignInRefused('provider_changed');
  return provider;
}

/** Exchanges the code and resolves to what the provider proves. `query` is that of the request, unchanged. */
export async function identityOfAnswer(
  { client, publicUrl }: AnswerNeeds,
  { flow, provider, query }: { flow: Flow; provider: ActiveProvider; query: string },
): Promise<Identity> {
  const { settings, rule } = provider;
  const metadata = await client.discover(settings.issuer);
  const callback = new URL(callbackUrl(publicUrl));
  callback.search = query;
  const proven = await client.redeem(metadata, settings, {
    ...flow,
    callbackUrl: callback,
    needsUserInfo: (idToken) =>
      idToken['email'] === undefined ||
      (rule.role_claim !== null && claimNamed(idToken, rule.role_claim) === undefined),
  });
  return identityOf(proven);
}
