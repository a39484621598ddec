import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretJwt,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockSkew,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  type ServerMetadata,
} from 'openid-client';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { GuardedFetchError } from '../../../kernel/fetch-failure.js';
import { printable } from '../../printable.js';
import { SignInRefused } from '../sign-in/refusal.js';
import { metadataProblem } from './metadata-problem.js';

const TIMEOUT_S = 10;
const MESSAGE_CHARS_MAX = 300;
const CAUSES_MAX = 8;

/** How Picket is registered at an identity provider. */
export interface ProviderClientSettings {
  issuer: string;
  clientId: string;
  /** Secret. */
  clientSecret: string;
  scopes: readonly string[];
}

/** What the authorization request and the answer to it have in common. */
export interface AuthorizationChecks {
  state: string;
  nonce: string;
  /** Of PKCE (RFC 7636). Secret. */
  codeVerifier: string;
  /** The person must have proved who they are within this time before the log-in; null: whenever it was. */
  maxAgeS: number | null;
}

/** What the provider says about a person, checked: issuer, audience, signature, nonce and times are right. */
export interface ProvenClaims {
  /** As in the metadata. */
  issuer: string;
  subject: string;
  /** Of the ID token. */
  idToken: Readonly<Record<string, unknown>>;
  /** Of the userinfo endpoint; null when it was not asked. */
  userInfo: Readonly<Record<string, unknown>> | null;
}

export interface ProviderClient {
  /** Resolves to the metadata of an issuer. Rejects with SignInRefused, whose message says what is wrong with it. */
  discover(issuer: string): Promise<ServerMetadata>;
  /** Resolves to the address that the browser is sent to. */
  authorizationUrl(
    metadata: ServerMetadata,
    settings: ProviderClientSettings,
    request: AuthorizationChecks & { redirectUri: string; loginHint: string | null },
  ): Promise<string>;
  /**
   * Exchanges the code in `callbackUrl`, the redirect URI with the query of the request, and checks everything.
   * `needsUserInfo` decides from the ID token whether the userinfo endpoint is asked too. Rejects with SignInRefused.
   */
  redeem(
    metadata: ServerMetadata,
    settings: ProviderClientSettings,
    answer: AuthorizationChecks & {
      callbackUrl: URL;
      needsUserInfo(idToken: Readonly<Record<string, unknown>>): boolean;
    },
  ): Promise<ProvenClaims>;
}

export interface ProviderClientNeeds {
  fetch: CustomFetch;
  /** Also providers without TLS, for a provider on the same machine. */
  allowHttp: boolean;
  /** By which tokens expire, instead of the clock of this machine. */
  clock: Pick<Clock, 'now'>;
}

export function createProviderClient({ fetch, allowHttp, clock }: ProviderClientNeeds): ProviderClient {
  function configuration(metadata: ServerMetadata, settings: ProviderClientSettings): Configuration {
    const auth = clientAuth(metadata, settings.clientSecret);
    const aheadS = Math.round((systemClock.now() - clock.now()) / 1_000);
    const metadataOfClient = { client_secret: settings.clientSecret, [clockSkew]: -aheadS };
    const config = new Configuration(metadata, settings.clientId, metadataOfClient, auth);
    config[customFetch] = fetch;
    config.timeout = TIMEOUT_S;
    if (allowHttp) allowInsecureRequests(config);
    // A signature is not required of a token that comes straight from the provider, but costs one request more.
    enableNonRepudiationChecks(config);
    return config;
  }

  return {
    async discover(issuer) {
      const options = { [customFetch]: fetch, timeout: TIMEOUT_S, execute: allowHttp ? [allowInsecureRequests] : [] };
      const found = await discovery(new URL(issuer), 'discovery', undefined, undefined, options).catch(refuse);
      const metadata: ServerMetadata = found.serverMetadata();
      const problem = metadataProblem(metadata, issuer, allowHttp);
      if (problem !== null) throw new SignInRefused('provider_error', problem);
      return metadata;
    },
    async authorizationUrl(metadata, settings, { state, nonce, codeVerifier, maxAgeS, redirectUri, loginHint }) {
      const url = buildAuthorizationUrl(configuration(metadata, settings), {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(' '),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(loginHint === null ? {} : { login_hint: loginHint }),
        ...(maxAgeS === null ? {} : { max_age: String(maxAgeS), prompt: 'login' }),
      });
      return url.href;
    },
    async redeem(metadata, settings, { state, nonce, codeVerifier, maxAgeS, callbackUrl, needsUserInfo }) {
      const config = configuration(metadata, settings);
      const checks = {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
        ...(maxAgeS === null ? {} : { maxAge: maxAgeS }),
      };
      const tokens = await authorizationCodeGrant(config, callbackUrl, checks).catch(refuse);
      const idToken = tokens.claims();
      if (idToken === undefined) throw new SignInRefused('invalid_response', 'there is no ID token');
      const asksUserInfo = metadata.userinfo_endpoint !== undefined && needsUserInfo(idToken);
      const userInfo = asksUserInfo
        ? await fetchUserInfo(config, tokens.access_token, idToken.sub).catch(refuse)
        : null;
      return { issuer: metadata.issuer, subject: idToken.sub, idToken, userInfo };
    },
  };
}

/** Returns the first method that the provider supports. `client_secret_basic` is the one of a provider that names none. */
function clientAuth(metadata: ServerMetadata, secret: string): ClientAuth {
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (supported.includes('client_secret_basic')) return ClientSecretBasic(secret);
  return supported.includes('client_secret_jwt') && !supported.includes('client_secret_post')
    ? ClientSecretJwt(secret)
    : ClientSecretPost(secret);
}

function refuse(error: unknown): never {
  throw refusalOf(error);
}

/** Returns why a request to a provider, or its answer, failed. The message contains no token and no secret. */
function refusalOf(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  if (error instanceof AuthorizationResponseError) {
    const isCancelled = error.error === 'access_denied';
    return new SignInRefused(
      isCancelled ? 'sign_in_cancelled' : 'provider_error',
      short(`the provider answered ${error.error}`),
    );
  }
  if (error instanceof ResponseBodyError) {
    return new SignInRefused(
      'provider_error',
      short(`the provider answered ${error.error} with status ${error.status}`),
    );
  }
  const causes = causesOf(error);
  const failure = causes.find((cause) => cause instanceof GuardedFetchError);
  if (failure !== undefined) return new SignInRefused('provider_unavailable', short(failure.message), error);
  const code = Object(causes[0]).code;
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') {
    return new SignInRefused('provider_unavailable', `no answer within ${TIMEOUT_S} s`, error);
  }
  // A status other than 200, or a body that is not JSON: the provider or what is in front of it is broken.
  const isBroken = code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON';
  const message = short(causes.map((cause) => cause.message).join(': '));
  return new SignInRefused(isBroken ? 'provider_unavailable' : 'invalid_response', message, error);
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < CAUSES_MAX) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
}

function short(text: string): string {
  return printable(text, MESSAGE_CHARS_MAX);
}
