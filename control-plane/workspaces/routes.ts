import { toIso } from '../../kernel/clock.js';
import type { WorkspaceDocument } from '../accounts/documents.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import { notFound } from '../errors.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../http/route.js';
import type { ChangeSettings } from './change.js';
import type { CreateWorkspace as Create } from './create.js';
import type { WorkspaceDeletion } from './deletion.js';
import type { GetWorkspace } from './get.js';
import type { ListWorkspaces } from './list.js';
import {
  ChangeWorkspace,
  CreateWorkspace,
  DeleteWorkspace,
  DeletionPlanned,
  OwnWorkspace,
  WorkspacePage,
  WorkspaceParams,
  WorkspaceSettings,
} from './schema.js';
import type { SwitchWorkspace } from './switch.js';
import { settingsOf, settingsVersion } from './view.js';

const TAG = 'Workspace';

interface RoutesNeeds {
  workspaces: WorkspacesStore;
  list: ListWorkspaces;
  get: GetWorkspace;
  create: Create;
  switchTo: SwitchWorkspace;
  change: ChangeSettings;
  deletion: WorkspaceDeletion;
}

export function createWorkspaceRoutes(needs: RoutesNeeds): Route[] {
  return [...ownRoutes(needs), ...settingsRoutes(needs), ...deletionRoutes(needs)];
}

/** The workspaces of a person. */
function ownRoutes({ list, get, create, switchTo }: RoutesNeeds): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/auth/workspaces',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'List your workspaces, the newest workspace first',
      query: WorkspacePage,
      list: true,
      replies: { 200: OwnWorkspace },
      handle: (input) => list(input),
    }),
    readRoute({
      method: 'GET',
      path: '/v1/auth/workspaces/{id}',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Get one of your workspaces',
      params: WorkspaceParams,
      replies: { 200: OwnWorkspace },
      handle: async ({ actor, params }) => ({ status: 200, data: await get(actor, params.id) }),
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/workspaces',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Create a workspace',
      description: 'On the Free plan, with you as its owner. The session stays in its workspace.',
      body: CreateWorkspace,
      errors: ['conflict'],
      replies: { 201: OwnWorkspace },
      async handle({ actor, body }, tx) {
        const data = await create(tx, actor, body.name);
        return { status: 201, data, location: `/v1/auth/workspaces/${data.id}` };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/workspaces/{id}/switch',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Work in another of your workspaces',
      description: 'Changes the workspace of this session, and the one that the next log-in opens.',
      params: WorkspaceParams,
      errors: ['conflict'],
      replies: { 200: OwnWorkspace },
      async handle({ actor, params }, tx) {
        return { status: 200, data: await switchTo(tx, actor, params.id) };
      },
    }),
  ];
}

function settingsRoutes({ workspaces, change }: RoutesNeeds): Route[] {
  return [
    readRoute({
      method: 'GET',
      path: '/v1/workspace',
      access: 'any',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Get the settings of the workspace',
      replies: { 200: WorkspaceSettings },
      async handle({ actor }) {
        const document = await workspaces.findDocument(actor.workspaceId);
        if (document === null) throw notFound('workspace');
        return settingsReply(document);
      },
    }),
    mutationRoute({
      method: 'PATCH',
      path: '/v1/workspace',
      access: 'full',
      fresh: true,
      refusedAs: 'workspace.change_refused',
      tag: TAG,
      summary: 'Change the settings of the workspace',
      description:
        'With `requires_second_factor`, people who logged in without a second factor can only set one up. API keys go on. Only an owner in a session can change it.',
      body: ChangeWorkspace,
      errors: ['conflict'],
      replies: { 200: WorkspaceSettings },
      async handle({ actor, body, ifVersion }, tx) {
        return settingsReply(await change(tx, actor, body, ifVersion));
      },
    }),
  ];
}

function settingsReply(document: WorkspaceDocument): Reply {
  return { status: 200, data: settingsOf(document), version: settingsVersion(document) };
}

function deletionRoutes({ deletion }: RoutesNeeds): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/workspace/delete',
      access: 'owner',
      fresh: true,
      refusedAs: 'workspace.change_refused',
      tag: TAG,
      summary: 'Delete the workspace and all its data',
      description:
        'Checks, notifications and samples of agents stop at once. The data are deleted after seven days. Until then, `POST /v1/workspace/restore` cancels the deletion. The name of the workspace must be typed again. Refused with 409 while the subscription renews.',
      body: DeleteWorkspace,
      errors: ['conflict'],
      replies: { 202: DeletionPlanned },
      async handle({ actor, body }, tx) {
        return { status: 202, data: { deleted_at: toIso(await deletion.request(tx, actor, body.name)) } };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/workspace/restore',
      access: 'owner',
      whileStopped: 'deleted',
      tag: TAG,
      summary: 'Take back the deletion of the workspace',
      errors: ['conflict'],
      replies: { 200: WorkspaceSettings },
      async handle({ actor }, tx) {
        return settingsReply(await deletion.takeBack(tx, actor));
      },
    }),
  ];
}
