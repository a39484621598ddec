import { Type } from 'typebox';
import { AppError, ERROR_STATUS, type ErrorCode, invalidField, notFound } from '../../../control-plane/errors.js';
import { requireVersion } from '../../../control-plane/http/etag.js';
import { BY_ID, byTime, PageParameters } from '../../../control-plane/http/paging.js';
import { mutationRoute, type Route, readRoute } from '../../../control-plane/http/route.js';
import { idPattern } from '../../../control-plane/storage/ids.js';
import { newestFirst, newestFirstBy } from '../../../control-plane/storage/page.js';
import type { TestParts } from '../app.js';

/** A row of the example slice for the tests of the HTTP conventions. */
export interface ExampleRow {
  _id: string;
  workspace_id: string;
  name: string;
  at: number;
  version: number;
}

const Params = Type.Object({ id: Type.String({ pattern: idPattern('mon') }) });
const View = Type.Object({ id: Type.String(), name: Type.String() });
const Body = Type.Object({ name: Type.String({ minLength: 1, maxLength: 200 }), note: Type.Optional(Type.String()) });

const BY_TIME = byTime(({ at, _id }: ExampleRow) => ({ atMs: at, id: _id }));

const common = { tag: 'Things', summary: 'S', access: 'monitors:write' } as const;
const thingsOf = (mongo: TestParts['mongo']) => mongo.db.collection<ExampleRow>('things');

/** Returns the routes of an example slice that uses every convention. A request with the note `slow` awaits `slow`. */
export function exampleRoutes(parts: TestParts, slow = () => Promise.resolve()): Route[] {
  return [
    listRoute(parts, '/v1/things', false),
    listRoute(parts, '/v1/things-by-time', true),
    ...readRoutes(parts),
    createRoute(parts, slow),
    ...changeRoutes(parts),
    ...importRoutes(),
    ...otherRoutes(),
  ];
}

function listRoute({ mongo, pager }: TestParts, path: '/v1/things' | '/v1/things-by-time', isByTime: boolean): Route {
  const things = thingsOf(mongo);
  return readRoute({
    ...common,
    method: 'GET',
    path,
    access: 'monitors:read',
    list: true,
    query: Type.Object({ q: Type.Optional(Type.String()), ...PageParameters }),
    replies: { 200: View },
    async handle(input) {
      const named = input.query.q === undefined ? {} : { name: input.query.q };
      const own = { workspace_id: input.actor.workspaceId, ...named };
      const present = (rows: readonly ExampleRow[]) => rows.map((row) => ({ id: row._id, name: row.name }));
      if (isByTime) {
        const page = pager.open('things', BY_TIME, input);
        const { filter, sort } = newestFirstBy('at', page.request.after);
        const found = things
          .find({ ...own, ...filter })
          .sort(sort)
          .limit(page.request.rowsMax);
        return page.reply(await found.toArray(), present);
      }
      const page = pager.open('things', BY_ID, input);
      const { filter, sort } = newestFirst(page.request.after);
      const found = things
        .find({ ...own, ...filter })
        .sort(sort)
        .limit(page.request.rowsMax);
      return page.reply(await found.toArray(), present);
    },
  });
}

function readRoutes({ mongo }: TestParts): Route[] {
  const things = thingsOf(mongo);
  return [
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/things/{id}',
      access: 'monitors:read',
      params: Params,
      replies: { 200: View },
      async handle({ actor, params }) {
        const thing = await things.findOne({ _id: params.id, workspace_id: actor.workspaceId });
        if (thing === null) throw notFound('thing');
        return { status: 200, data: { id: thing._id, name: thing.name }, version: thing.version };
      },
    }),
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/things/export',
      replies: { 200: null },
      handle: async () => ({
        status: 200,
        raw: { type: 'text/csv; charset=utf-8', body: 'a,b\n', filename: 'Überblick.csv' },
      }),
    }),
  ];
}

function createRoute({ mongo, ids, audit }: TestParts, slow: () => Promise<void>): Route {
  const things = thingsOf(mongo);
  return mutationRoute({
    ...common,
    method: 'POST',
    path: '/v1/things',
    body: Body,
    replies: { 201: View },
    async handle({ actor, body }, tx) {
      const _id = ids.next('mon');
      await things.insertOne(
        { _id, workspace_id: actor.workspaceId, name: body.name, at: Date.now(), version: 1 },
        { session: tx.session },
      );
      await audit.record(tx, actor, {
        action: 'monitor.created',
        resource: { type: 'monitor', id: _id, name: body.name },
      });
      if (body.note === 'slow') await slow();
      if (body.note === 'fail') throw new AppError('conflict', 'Not in this state.');
      return { status: 201, data: { id: _id, name: body.name }, location: `/v1/things/${_id}`, version: 1 };
    },
  });
}

function changeRoutes({ mongo }: TestParts): Route[] {
  const things = thingsOf(mongo);
  return [
    mutationRoute({
      ...common,
      method: 'PATCH',
      path: '/v1/things/{id}',
      params: Params,
      body: Body,
      replies: { 200: View },
      async handle({ actor, params, body, ifVersion }, tx) {
        const own = { _id: params.id, workspace_id: actor.workspaceId };
        const thing = await things.findOne(own, { session: tx.session });
        if (thing === null) throw notFound('thing');
        requireVersion(ifVersion, thing.version);
        await things.updateOne(own, { $set: { name: body.name }, $inc: { version: 1 } }, { session: tx.session });
        return { status: 200, data: { id: thing._id, name: body.name }, version: thing.version + 1 };
      },
    }),
    mutationRoute({
      ...common,
      method: 'DELETE',
      path: '/v1/things/{id}',
      params: Params,
      replies: { 204: null },
      async handle({ actor, params, ifVersion }, tx) {
        const own = { _id: params.id, workspace_id: actor.workspaceId };
        const thing = await things.findOne(own, { session: tx.session });
        if (thing === null) throw notFound('thing');
        requireVersion(ifVersion, thing.version);
        await things.deleteOne(own, { session: tx.session });
        return { status: 204 };
      },
    }),
  ];
}

function importRoutes(): Route[] {
  return [
    mutationRoute({
      ...common,
      method: 'POST',
      path: '/v1/things/{id}/touch',
      params: Params,
      replies: { 202: Type.Pick(View, ['id']) },
      handle: async ({ params }) => ({ status: 202, data: { id: params.id } }),
    }),
    mutationRoute({
      ...common,
      method: 'POST',
      path: '/v1/things/import',
      textBody: { types: ['application/yaml'], read: async (receive) => ({ name: (await receive()).toString() }) },
      body: Body,
      replies: { 200: Type.Object({ body: Type.Unknown() }) },
      handle: async ({ body }) => ({ status: 200, data: { body } }),
    }),
  ];
}

/** One that fails as it is asked to, and one for each kind of access. */
function otherRoutes(): Route[] {
  return [
    readRoute({
      ...common,
      method: 'POST',
      path: '/v1/throw/{code}',
      params: Type.Object({ code: Type.String() }),
      replies: { 200: null },
      errors: Object.keys(ERROR_STATUS) as ErrorCode[],
      async handle({ params }) {
        if (params.code === 'field') throw invalidField('/name', 'is taken');
        const headers = { 'Retry-After': '1', 'Content-Range': 'bytes */1' };
        if (params.code in ERROR_STATUS) throw new AppError(params.code as ErrorCode, 'Because.', { headers });
        throw new Error('secret detail of the database at 10.0.0.1');
      },
    }),
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/full',
      access: 'full',
      replies: { 200: null },
      handle: async () => ({ status: 200, data: 1 }),
    }),
    readRoute({
      ...common,
      method: 'GET',
      path: '/v1/admin/x',
      access: 'operator',
      replies: { 200: null },
      handle: async () => ({ status: 200, data: 1 }),
    }),
    readRoute({
      ...common,
      method: 'GET',
      path: '/api/v1/public',
      access: 'public',
      replies: { 200: null },
      handle: async () => ({ status: 200, data: 1 }),
    }),
  ];
}
