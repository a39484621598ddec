import { Type } from 'typebox';
import { notFound } from '../../errors.js';
import { BY_ID, PageParameters, type Pager } from '../../http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../http/route.js';
import { personOf } from '../person.js';
import { SECOND_FACTOR_TAG } from '../routes.js';
import { PASSKEYS_PER_PERSON_MAX, type PasskeyRegistration } from './register.js';
import type { RemovePasskey } from './remove.js';
import type { RenamePasskey } from './rename.js';
import {
  Passkey,
  PasskeyParams,
  RegisteredPasskey,
  RegisterPasskey,
  RegistrationOptions,
  RenamePasskey as RenamePasskeySchema,
} from './schema.js';
import type { PasskeysStore } from './store.js';
import { passkeyOf } from './view.js';

interface PasskeyRoutesNeeds {
  passkeys: PasskeysStore;
  pager: Pager;
  registration: PasskeyRegistration;
  renamePasskey: RenamePasskey;
  removePasskey: RemovePasskey;
}

const PasskeyPage = Type.Object(PageParameters, { additionalProperties: false });

export function createPasskeyRoutes(needs: PasskeyRoutesNeeds): Route[] {
  const { passkeys, pager } = needs;
  return [
    readRoute({
      method: 'GET',
      path: '/v1/auth/passkeys',
      access: 'person',
      tag: SECOND_FACTOR_TAG,
      summary: 'List your passkeys, newest first',
      query: PasskeyPage,
      list: true,
      replies: { 200: Passkey },
      async handle(input) {
        const { userId } = personOf(input.actor);
        const page = pager.open(`passkeys-of-${userId}`, BY_ID, input);
        const found = await passkeys.list(userId, page.request);
        return page.reply(found, (rows) => rows.map(passkeyOf));
      },
    }),
    readRoute({
      method: 'GET',
      path: '/v1/auth/passkeys/{id}',
      access: 'person',
      tag: SECOND_FACTOR_TAG,
      summary: 'Get a passkey',
      params: PasskeyParams,
      replies: { 200: Passkey },
      async handle({ actor, params }) {
        const passkey = await passkeys.find(personOf(actor).userId, params.id);
        if (passkey === null) throw notFound('passkey');
        return { status: 200, data: passkeyOf(passkey), version: passkey.version };
      },
    }),
    ...registrationRoutes(needs),
    ...changeRoutes(needs),
  ];
}

function registrationRoutes({ registration }: PasskeyRoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/passkeys/options',
      access: 'person',
      confirmedEmail: true,
      fresh: true,
      tag: SECOND_FACTOR_TAG,
      summary: 'Start adding a passkey',
      description:
        'Returns the options for `navigator.credentials.create()`. They work once, within five minutes, in this session.',
      replies: { 200: RegistrationOptions },
      errors: ['conflict', 'confirmation_required'],
      async handle({ actor }, tx) {
        return { status: 200, data: await registration.options(tx, personOf(actor)) };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/passkeys',
      access: 'person',
      confirmedEmail: true,
      fresh: true,
      tag: SECOND_FACTOR_TAG,
      summary: 'Add a passkey',
      description: `A passkey is a second factor, and logs in without the password. A person has at most ${PASSKEYS_PER_PERSON_MAX}. If this is the first second factor, all other sessions of the person end.`,
      body: RegisterPasskey,
      replies: { 201: RegisteredPasskey },
      errors: ['conflict', 'confirmation_required'],
      async handle({ actor, body }, tx) {
        const { passkey, recoveryCodes } = await registration.register(tx, personOf(actor), body);
        return {
          status: 201,
          data: { ...passkeyOf(passkey), recovery_codes: recoveryCodes },
          location: `/v1/auth/passkeys/${passkey._id}`,
          version: passkey.version,
        };
      },
    }),
  ];
}

function changeRoutes({ renamePasskey, removePasskey }: PasskeyRoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'PATCH',
      path: '/v1/auth/passkeys/{id}',
      access: 'person',
      tag: SECOND_FACTOR_TAG,
      summary: 'Rename a passkey',
      params: PasskeyParams,
      body: RenamePasskeySchema,
      replies: { 200: Passkey },
      async handle({ actor, params, body, ifVersion }, tx) {
        const passkey = await renamePasskey(tx, personOf(actor), { ...params, ...body, ifVersion });
        return { status: 200, data: passkeyOf(passkey), version: passkey.version };
      },
    }),
    mutationRoute({
      method: 'DELETE',
      path: '/v1/auth/passkeys/{id}',
      access: 'person',
      fresh: true,
      refusedAs: 'auth.change_refused',
      tag: SECOND_FACTOR_TAG,
      summary: 'Remove a passkey',
      description:
        'The session must have been opened or confirmed with a second factor. All other sessions of the person end. Refused with 409 while a workspace of the person requires a second factor and this is the last one.',
      params: PasskeyParams,
      replies: { 204: null },
      errors: ['conflict', 'confirmation_required'],
      async handle({ actor, params, ifVersion }, tx) {
        await removePasskey(tx, personOf(actor), { ...params, ifVersion });
        return { status: 204 };
      },
    }),
  ];
}
