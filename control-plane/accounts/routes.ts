import type { Scope } from '../actor.js';
import { type Route, readRoute } from '../http/route.js';
import { accountSchema } from './schema.js';
import { accountOf } from './view.js';

/** `scopes` are those of all slices. */
export function createAccountRoutes({ scopes }: { scopes: readonly Scope[] }): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/auth/me',
      access: 'any',
      whileStopped: 'always',
      tag: 'Account',
      summary: 'Get the account of the credential',
      replies: { 200: accountSchema(scopes) },
      errors: ['forbidden'],
      handle: async ({ actor }) => ({ status: 200, data: accountOf(actor) }),
    }),
  ];
}
