import { notFound } from '../errors.js';
import { nullable } from '../http/input/nullable.js';
import { byKey, type Pager } from '../http/paging.js';
import { actionRoute, mutationRoute, type Route, readRoute } from '../http/route.js';
import type { ReferenceLock } from '../references/lock.js';
import type { DomainDocument } from './documents.js';
import { addDomain, DOMAINS_PER_WORKSPACE_MAX, removeDomain } from './domains/change.js';
import { domainName } from './domains/domain-name.js';
import { type VerifyDomainNeeds, verifyDomain } from './domains/verify.js';
import { domainView } from './domains/view.js';
import type { InstallationProvider } from './installation.js';
import { removeProvider } from './provider/remove.js';
import { type SaveProviderNeeds, saveProvider } from './provider/save.js';
import { unlink } from './provider/unlink.js';
import { providerView } from './provider/view.js';
import {
  AddDomain,
  Domain,
  DomainParams,
  ListDomains,
  Provider,
  SaveProvider,
  SignInOptions,
  Unlink,
} from './schema.js';
import type { IdentitiesStore } from './sign-in/identities-store.js';
import { startUrl } from './urls.js';

const TAG = 'Single sign-on';
const PATH = '/v1/single-sign-on';

/** Of the answer while there is no provider; the first one that is saved has the next. */
const NO_PROVIDER_VERSION = 0;

const BY_NAME = byKey((row: DomainDocument) => row.domain);

export interface SingleSignOnRoutesNeeds extends SaveProviderNeeds, VerifyDomainNeeds {
  providerLock: ReferenceLock;
  identities: IdentitiesStore;
  pager: Pager;
  installation: InstallationProvider | null;
  publicUrl: string;
}

export function singleSignOnRoutes(needs: SingleSignOnRoutesNeeds): Route[] {
  return [optionsRoute(needs), ...providerRoutes(needs), ...readDomainRoutes(needs), ...changeDomainRoutes(needs)];
}

function optionsRoute({ installation, publicUrl }: SingleSignOnRoutesNeeds): Route {
  return readRoute({
    method: 'GET',
    path: '/v1/auth/sso',
    access: 'public',
    tag: TAG,
    summary: 'Get what the log-in page offers',
    description:
      'A browser starts a log-in by opening `/v1/auth/sso/start`, with `email` or `workspace`, or without both for the identity provider of the installation. `next` is the path of this site to open afterwards.',
    replies: { 200: SignInOptions },
    handle: async () => ({
      status: 200,
      data: {
        installation: installation === null ? null : { name: installation.name, start_url: startUrl(publicUrl) },
      },
    }),
  });
}

function providerRoutes(needs: SingleSignOnRoutesNeeds): Route[] {
  const { providers, runTransaction, publicUrl } = needs;
  return [
    readRoute({
      method: 'GET',
      path: PATH,
      access: 'view',
      tag: TAG,
      summary: 'Get the identity provider of the workspace',
      description: '`data` is null while there is none.',
      replies: { 200: nullable(Provider) },
      versioned: true,
      async handle({ actor }) {
        const document = await providers.find(actor.workspaceId);
        if (document === null) return { status: 200, data: null, version: NO_PROVIDER_VERSION };
        const policy = await runTransaction((tx) => providers.policyIn(tx, actor.workspaceId));
        return { status: 200, data: providerView(document, policy, publicUrl), version: document.version };
      },
    }),
    actionRoute({
      method: 'PUT',
      path: PATH,
      access: 'owner_session',
      refusedAs: 'integration.change_refused',
      confirmedEmail: true,
      fresh: true,
      tag: TAG,
      summary: 'Save the identity provider of the workspace',
      description:
        'Replaces all settings; fields that you leave out get their defaults, except `client_secret`, which stays. Picket asks a new issuer for its metadata before it saves anything: 422 says what it cannot use, 409 that the issuer did not answer. Another issuer ends the sessions that the previous one opened.',
      body: SaveProvider,
      replies: { 200: Provider },
      errors: ['plan_required', 'conflict'],
      versioned: true,
      async handle({ actor, body, ifVersion }) {
        const { document, policy } = await saveProvider(needs, actor, { body, ifVersion });
        return { status: 200, data: providerView(document, policy, publicUrl), version: document.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: PATH,
      access: 'owner_session',
      refusedAs: 'integration.change_refused',
      fresh: true,
      tag: TAG,
      summary: 'Remove the identity provider of the workspace',
      description:
        'Ends the sessions that the provider opened. Members stay members, and log in with a password again. Those without one can reset it by e-mail.',
      replies: { 204: null },
      errors: ['not_found'],
      async handle({ actor, ifVersion }, tx) {
        await removeProvider(needs, tx, actor, ifVersion);
        return { status: 204 };
      },
    }),
    unlinkRoute(needs),
  ];
}

function unlinkRoute(needs: SingleSignOnRoutesNeeds): Route {
  return mutationRoute({
    method: 'POST',
    path: `${PATH}/unlink`,
    access: 'owner_session',
    refusedAs: 'integration.change_refused',
    fresh: true,
    tag: TAG,
    summary: 'Forget which person of the identity provider a member is',
    description:
      'Ends the sessions that the provider opened for the member. The next log-in with the e-mail address of the member links it again. Use it when the provider gave the person another subject.',
    body: Unlink,
    replies: { 204: null },
    errors: ['not_found'],
    async handle({ actor, body }, tx) {
      await unlink(needs, tx, actor, body.user_id);
      return { status: 204 };
    },
  });
}

function readDomainRoutes({ domains, pager }: SingleSignOnRoutesNeeds): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: `${PATH}/domains`,
      access: 'view',
      tag: TAG,
      summary: 'List the domains of the workspace, by name',
      description: `A workspace has at most ${DOMAINS_PER_WORKSPACE_MAX} domains.`,
      query: ListDomains,
      replies: { 200: Domain },
      list: true,
      async handle(input) {
        const page = pager.open('single-sign-on-domains', BY_NAME, input);
        const found = await domains.list(input.actor.workspaceId, page.request);
        return page.reply(found, (rows) => rows.map(domainView));
      },
    }),
    readRoute({
      method: 'GET',
      path: `${PATH}/domains/{domain}`,
      access: 'view',
      tag: TAG,
      summary: 'Get a domain',
      params: DomainParams,
      replies: { 200: Domain },
      async handle({ actor, params }) {
        const document = await domains.find(actor.workspaceId, domainName(params.domain) ?? '');
        if (document === null) throw notFound('domain');
        return { status: 200, data: domainView(document), version: document.version };
      },
    }),
  ];
}

function changeDomainRoutes(needs: SingleSignOnRoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: `${PATH}/domains`,
      access: 'owner_session',
      refusedAs: 'integration.change_refused',
      confirmedEmail: true,
      fresh: true,
      tag: TAG,
      summary: 'Add a domain',
      description: 'Set the TXT record in the response, then verify the domain.',
      body: AddDomain,
      replies: { 201: Domain },
      errors: ['plan_required', 'conflict'],
      async handle({ actor, body }, tx) {
        const document = await addDomain(needs, tx, actor, body.domain);
        const location = `${PATH}/domains/${document.domain}`;
        return { status: 201, data: domainView(document), location, version: document.version };
      },
    }),
    actionRoute({
      method: 'POST',
      path: `${PATH}/domains/{domain}/verify`,
      access: 'owner_session',
      refusedAs: 'integration.change_refused',
      confirmedEmail: true,
      fresh: true,
      tag: TAG,
      summary: 'Verify a domain by its TXT record',
      description:
        'Looks the record up now. 409 when it is not there, when the DNS servers do not answer, or when another workspace has verified the domain. A verified domain whose record is gone is no longer verified, and the sessions that the provider opened for its people end.',
      params: DomainParams,
      replies: { 200: Domain },
      errors: ['plan_required', 'conflict'],
      async handle({ actor, params }) {
        const document = await verifyDomain(needs, actor, params.domain);
        return { status: 200, data: domainView(document), version: document.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: `${PATH}/domains/{domain}`,
      access: 'owner_session',
      refusedAs: 'integration.change_refused',
      fresh: true,
      tag: TAG,
      summary: 'Remove a domain',
      description:
        'People with addresses of the domain can no longer log in through the identity provider, and the sessions that it opened for them end.',
      params: DomainParams,
      replies: { 204: null },
      errors: ['conflict'],
      async handle({ actor, params, ifVersion }, tx) {
        await removeDomain(needs, tx, actor, { domain: params.domain, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}
