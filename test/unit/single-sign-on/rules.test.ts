import t from 'tap';
import { domainName } from '../../../control-plane/single-sign-on/domains/domain-name.js';
import {
  accountForInstallation,
  accountForWorkspace,
  type ExistingAccount,
} from '../../../control-plane/single-sign-on/sign-in/account.js';
import { emailAddress } from '../../../control-plane/single-sign-on/sign-in/email-address.js';
import { nextPath } from '../../../control-plane/single-sign-on/sign-in/next-path.js';
import { requiresSingleSignOn } from '../../../control-plane/single-sign-on/sign-in/policy.js';
import { type RoleRule, roleAfterSignIn, roleOf } from '../../../control-plane/single-sign-on/sign-in/role.js';

t.test('after a log-in the browser opens a path of this site, whatever was asked for', (t) => {
  for (const path of ['/', '/monitors', '/monitors/mon_1?tab=results#latest', '/a//b', '/@evil.example', '/a:b']) {
    t.equal(nextPath(path), path);
    t.equal(new URL(nextPath(path), 'https://picket.example').origin, 'https://picket.example');
  }
  const foreign = [
    ...[
      '//evil.example',
      '/\\evil.example',
      '/\\/evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      'evil',
      '',
    ],
    // Browsers remove tabs and line breaks from URLs, so this is //evil.example to them.
    ...[
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r\n/evil.example',
      '\t//evil.example',
      ' //evil.example',
      '/a\\b',
      '/ä',
    ],
    `/${'a'.repeat(512)}`,
  ];
  for (const path of foreign) t.equal(nextPath(path), '/', JSON.stringify(path));
  t.equal(nextPath(undefined), '/');
  t.end();
});

t.test('an e-mail address is one ASCII address, in lower case', (t) => {
  t.same(emailAddress('Ada@Example.COM'), { email: 'ada@example.com', domain: 'example.com' });
  const refused = [
    ...['', 'ada', 'ada@', '@example.com', 'ada@localhost', 'ada@example.com@evil.example', 'a b@example.com'],
    ...[
      'ada@example.com, eve@evil.example',
      'ada@example.com\n',
      '"a@b"@example.com',
      'ada@-example.com',
      'ada@example..com',
    ],
    // The Kelvin sign: its lower case is the ASCII letter k.
    ...['\u212aate@example.com', 'kate@exa\u212a.com', `${'a'.repeat(65)}@example.com`, `a@${'b.'.repeat(126)}com`],
    ...[null, undefined, 1, ['ada@example.com'], { toString: () => 'ada@example.com' }],
  ];
  for (const value of refused) t.equal(emailAddress(value), null, JSON.stringify(value));
  t.end();
});

t.test('a domain is one of the public DNS, in lower case and punycode', (t) => {
  t.equal(domainName(' Example.COM '), 'example.com');
  t.equal(domainName('bücher.example'), 'xn--bcher-kva.example');
  for (const text of [
    '',
    'com',
    'localhost',
    '127.0.0.1',
    '::1',
    'a b.com',
    'example.com.',
    '.example.com',
    'a..b',
    '*.example.com',
    'exa_mple.com',
    'example.1',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(125)}com`,
  ]) {
    t.equal(domainName(text), null, JSON.stringify(text));
  }
  t.end();
});

const rule = (more: Partial<RoleRule> = {}): RoleRule => ({
  role_claim: 'groups',
  role_mapping: [
    { value: 'ops', role: 'admin' },
    { value: 'dev', role: 'member' },
    { value: 'boss', role: 'owner' },
    { value: '__proto__', role: 'admin' },
  ],
  default_role: 'viewer',
  owner_by_claim: false,
  ...more,
});

t.test('the role of a claim is the one with the most rights of all mapped values', (t) => {
  t.equal(roleOf(rule(), { groups: 'dev' }), 'member', 'a text');
  t.equal(roleOf(rule(), { groups: ['x', 'dev', 'ops'] }), 'admin', 'a list');
  t.equal(roleOf(rule(), { groups: ['x'] }), 'viewer', 'nothing mapped');
  t.equal(roleOf(rule({ default_role: null }), { groups: ['x'] }), null, 'no access');
  for (const groups of [undefined, null, 7, { ops: true }, [['ops']], [{ value: 'ops' }]]) {
    t.equal(roleOf(rule(), { groups }), 'viewer', JSON.stringify(groups));
  }
  t.equal(roleOf(rule({ role_claim: 'realm_access.roles' }), { realm_access: { roles: ['ops'] } }), 'admin', 'a path');
  const dotted = { 'https://example.com/roles': 'dev' };
  t.equal(roleOf(rule({ role_claim: 'https://example.com/roles' }), dotted), 'member', 'a name with dots');
  t.equal(roleOf(rule({ role_claim: 'constructor.name' }), {}), 'viewer', 'nothing that every object has');
  t.equal(roleOf(rule({ role_claim: null }), { groups: 'ops' }), 'viewer', 'without a claim the default counts');
  t.end();
});

t.test('a claim makes nobody an owner unless the workspace says so twice', (t) => {
  t.equal(roleOf(rule(), { groups: ['boss'] }), 'viewer');
  t.equal(roleOf(rule(), { groups: ['boss', 'dev'] }), 'member');
  t.equal(roleOf(rule({ owner_by_claim: true }), { groups: ['boss', 'dev'] }), 'owner');
  t.end();
});

t.test(
  'the role changes at each log-in, but owners stay unless the claim governs them, and the last one always',
  (t) => {
    const after = (current: 'owner' | 'admin', more: Partial<RoleRule>, keepsOwner = false) =>
      roleAfterSignIn(rule(more), { current, claimed: 'viewer', keepsOwner });
    t.equal(after('admin', {}), 'viewer');
    t.equal(after('admin', { role_claim: null }), 'admin');
    t.equal(after('owner', {}), 'owner');
    t.equal(after('owner', { owner_by_claim: true }), 'viewer');
    t.equal(after('owner', { owner_by_claim: true }, true), 'owner');
    t.end();
  },
);

const account = (more: Partial<ExistingAccount> = {}): ExistingAccount => ({
  ...{ userId: 'usr_1', isMember: false, hasOtherWorkspace: false, hasOwnSignIn: false, hasOtherSubject: false },
  ...{ isProved: true, isOperatorElsewhere: false },
  ...more,
});
const ofWorkspace = (more?: Partial<ExistingAccount>) =>
  accountForWorkspace({ linked: null, byEmail: more === undefined ? null : account(more) });
const link = { kind: 'link', userId: 'usr_1' };
const refuse = (reason: string) => ({ kind: 'refuse', reason });

t.test('the provider of a workspace opens only accounts that are members, or that nobody uses', (t) => {
  t.same(ofWorkspace(), { kind: 'create' });
  t.same(ofWorkspace({}), link, 'without password and workspace');
  t.same(ofWorkspace({ isMember: true, hasOwnSignIn: true, hasOtherWorkspace: true }), link, 'a member');
  t.same(ofWorkspace({ hasOwnSignIn: true }), refuse('account_exists'));
  t.same(ofWorkspace({ hasOtherWorkspace: true }), refuse('account_exists'));
  t.same(ofWorkspace({ isMember: true, hasOtherSubject: true }), refuse('subject_changed'));
  t.same(ofWorkspace({ isMember: true, isOperatorElsewhere: true }), refuse('operator_account'));
  t.same(ofWorkspace({ isMember: true, hasOwnSignIn: true, isProved: false }), refuse('account_unconfirmed'));
  const linked = { userId: 'usr_1', isMember: true, hasOtherWorkspace: false, isOperatorElsewhere: false };
  t.same(accountForWorkspace({ linked, byEmail: null }), { kind: 'sign_in', userId: 'usr_1' });
  t.same(
    accountForWorkspace({ linked: { ...linked, isOperatorElsewhere: true }, byEmail: null }),
    refuse('operator_account'),
  );
  const removed = { ...linked, isMember: false, hasOtherWorkspace: true };
  t.same(accountForWorkspace({ linked: removed, byEmail: null }), refuse('member_removed'));
  t.end();
});

t.test('the provider of the installation opens the account of the address', (t) => {
  const decide = (more: Partial<ExistingAccount>) => accountForInstallation({ linked: null, byEmail: account(more) });
  t.same(decide({ hasOwnSignIn: true, hasOtherWorkspace: true, isOperatorElsewhere: true }), link);
  t.same(decide({ hasOwnSignIn: true, isProved: false }), link, 'which takes it from whoever created it');
  t.same(decide({ hasOtherSubject: true }), refuse('subject_changed'));
  const removed = { userId: 'usr_1', isMember: false, hasOtherWorkspace: false, isOperatorElsewhere: false };
  t.same(accountForInstallation({ linked: removed, byEmail: null }), refuse('member_removed'));
  const elsewhere = { ...removed, hasOtherWorkspace: true };
  t.same(accountForInstallation({ linked: elsewhere, byEmail: null }), { kind: 'sign_in', userId: 'usr_1' });
  t.end();
});

t.test('an enforced workspace admits sessions of its own provider and the break-glass owner', (t) => {
  const single_sign_on = { enforced: true, break_glass_user_id: 'usr_glass' };
  const workspace = { _id: 'ws_1', single_sign_on };
  const session = { userId: 'usr_1', role: 'admin' as const, providerWorkspaceId: null };
  t.equal(requiresSingleSignOn(workspace, session), true);
  t.equal(requiresSingleSignOn(workspace, { ...session, providerWorkspaceId: 'ws_1' }), false);
  t.equal(requiresSingleSignOn(workspace, { ...session, providerWorkspaceId: 'ws_2' }), true, 'another provider');
  t.equal(requiresSingleSignOn(workspace, { ...session, userId: 'usr_glass', role: 'owner' }), false);
  t.equal(requiresSingleSignOn(workspace, { ...session, userId: 'usr_glass' }), true, 'no longer an owner');
  t.equal(requiresSingleSignOn({ ...workspace, single_sign_on: null }, session), false);
  t.end();
});
