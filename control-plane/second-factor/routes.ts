import { toIso } from '../../kernel/clock.js';
import { mutationRoute, type Route, readRoute } from '../http/route.js';
import { type Person, personOf } from './person.js';
import type { ProveFactor } from './prove.js';
import type { RenewRecoveryCodes } from './recovery-codes/renew.js';
import { RecoveryCodes, SecondFactorOverview, SecondFactorProof, TotpCodeBody, TotpEnrolment } from './schema.js';
import type { DisableTotp } from './totp/disable.js';
import type { EnrolTotp } from './totp/enrol.js';
import type { VerifyTotp } from './totp/verify.js';

export const SECOND_FACTOR_TAG = 'Second factors';

/** The short paths follow `/v1/auth/login` and `/v1/auth/logout`. Both work. */
const VERIFY_PATHS = ['/v1/auth/mfa/totp/verify', '/v1/auth/mfa/verify'] as const;
const DISABLE_PATHS = ['/v1/auth/mfa/totp/disable', '/v1/auth/mfa/disable'] as const;

interface SecondFactorRoutesNeeds {
  overview(person: Person): Promise<SecondFactorOverview>;
  enrolTotp: EnrolTotp;
  verifyTotp: VerifyTotp;
  disableTotp: DisableTotp;
  renewRecoveryCodes: RenewRecoveryCodes;
  proveFactor: ProveFactor;
}

export function createSecondFactorRoutes(needs: SecondFactorRoutesNeeds): Route[] {
  const { overview, renewRecoveryCodes } = needs;
  return [
    readRoute({
      method: 'GET',
      path: '/v1/auth/mfa',
      access: 'person',
      tag: SECOND_FACTOR_TAG,
      summary: 'Get your second factors',
      replies: { 200: SecondFactorOverview },
      handle: async ({ actor }) => ({ status: 200, data: await overview(personOf(actor)) }),
    }),
    enrolRoute(needs),
    ...VERIFY_PATHS.map((path) => verifyRoute(needs, path)),
    ...DISABLE_PATHS.map((path) => disableRoute(needs, path)),
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/mfa/recovery-codes',
      access: 'person',
      fresh: true,
      tag: SECOND_FACTOR_TAG,
      summary: 'Create new recovery codes',
      description: 'The previous codes stop working.',
      replies: { 200: RecoveryCodes },
      errors: ['conflict', 'confirmation_required'],
      async handle({ actor }, tx) {
        return { status: 200, data: { recovery_codes: await renewRecoveryCodes(tx, personOf(actor)) } };
      },
    }),
  ];
}

function enrolRoute({ enrolTotp }: SecondFactorRoutesNeeds): Route {
  return mutationRoute({
    method: 'POST',
    path: '/v1/auth/mfa/totp',
    access: 'person',
    fresh: true,
    tag: SECOND_FACTOR_TAG,
    summary: 'Set up an authenticator app',
    description:
      'Returns a new secret for TOTP (RFC 6238: SHA-1, six digits, 30 seconds). It has no effect until a code of it is verified, which must happen within 15 minutes. An authenticator app that is set up already works until then.',
    replies: { 200: TotpEnrolment },
    errors: ['confirmation_required'],
    async handle({ actor }, tx) {
      const { expiresAtMs, ...enrolment } = await enrolTotp(tx, personOf(actor));
      return { status: 200, data: { ...enrolment, expires_at: toIso(expiresAtMs) } };
    },
  });
}

function verifyRoute({ verifyTotp }: SecondFactorRoutesNeeds, path: Route['path']): Route {
  return mutationRoute({
    method: 'POST',
    path,
    access: 'person',
    fresh: true,
    tag: SECOND_FACTOR_TAG,
    summary: 'Verify the authenticator app',
    description:
      'From then on a log-in with the password needs a second factor. The response contains ten recovery codes; earlier ones stop working. If this is the first second factor, all other sessions of the person end.',
    body: TotpCodeBody,
    replies: { 200: RecoveryCodes },
    errors: ['conflict', 'confirmation_required'],
    async handle({ actor, body }, tx) {
      return { status: 200, data: { recovery_codes: await verifyTotp(tx, personOf(actor), body.totp) } };
    },
  });
}

function disableRoute({ disableTotp, proveFactor }: SecondFactorRoutesNeeds, path: Route['path']): Route {
  return mutationRoute({
    method: 'POST',
    path,
    access: 'person',
    fresh: true,
    refusedAs: 'auth.change_refused',
    tag: SECOND_FACTOR_TAG,
    summary: 'Remove the authenticator app',
    description:
      'Needs a second factor: exactly one of `totp`, `recovery_code` and `passkey`. Without a passkey, the recovery codes stop working too. All other sessions of the person end. Refused with 409 while a workspace of the person requires a second factor and this is the last one.',
    body: SecondFactorProof,
    replies: { 204: null },
    errors: ['conflict'],
    async handle({ actor, body }, tx) {
      const person = personOf(actor);
      await proveFactor(tx, person, body);
      await disableTotp(tx, person);
      return { status: 204 };
    },
  });
}
