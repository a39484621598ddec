import { type Static, Type } from 'typebox';
import { Name } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { PLAN_NAMES } from '../plans/plans.js';
import { idPattern } from '../storage/ids.js';

const closed = { additionalProperties: false };
const WorkspaceId = Type.String({ pattern: idPattern('ws'), examples: ['ws_01jjwzmz000000000000000000'] });
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const WorkspaceName = Name({ examples: ['Example Ltd'] });

export const WorkspaceParams = Type.Object({ id: WorkspaceId }, closed);
export const WorkspacePage = Type.Object(PageParameters, closed);

/** A workspace as one of the person's. */
export const OwnWorkspace = Type.Object(
  {
    id: WorkspaceId,
    name: WorkspaceName,
    plan: Type.Enum([...PLAN_NAMES], { examples: ['Pro'] }),
    role: Type.Enum(['owner', 'admin', 'member', 'viewer'], { examples: ['admin'] }),
    current: Type.Boolean({ description: 'Whether the session works in this workspace.' }),
    joined_at: Timestamp,
  },
  { ...closed, title: 'OwnWorkspace' },
);
export type OwnWorkspace = Static<typeof OwnWorkspace>;

export const CreateWorkspace = Type.Object({ name: WorkspaceName }, { ...closed, title: 'CreateWorkspace' });

/** The settings of the current workspace. */
export const WorkspaceSettings = Type.Object(
  {
    id: WorkspaceId,
    name: WorkspaceName,
    plan: Type.Enum([...PLAN_NAMES], { examples: ['Pro'] }),
    created_at: Timestamp,
    confirmed_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When an owner confirmed their e-mail address. Until then, nothing is sent to anybody else.',
    }),
    requires_second_factor: Type.Boolean({
      description: 'Whether people without a second factor can only set one up.',
    }),
    has_identity_provider: Type.Boolean({
      description: 'Whether the workspace has an identity provider for single sign-on.',
    }),
    deleted_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the workspace and all its data will be deleted; null unless somebody has requested it.',
    }),
  },
  { ...closed, title: 'Workspace' },
);
export type WorkspaceSettings = Static<typeof WorkspaceSettings>;

export const ChangeWorkspace = Type.Partial(
  Type.Object({ name: WorkspaceName, requires_second_factor: Type.Boolean() }),
  {
    ...closed,
    title: 'ChangeWorkspace',
    minProperties: 1,
    // Without `requires_second_factor`, which needs more than the access of the route says.
    examples: [{ name: 'Example Ltd' }],
  },
);
export type ChangeWorkspace = Static<typeof ChangeWorkspace>;

export const DeleteWorkspace = Type.Object(
  {
    name: Type.String({
      maxLength: 200,
      description: 'The name of the workspace, typed again.',
      examples: ['Example Ltd'],
    }),
  },
  { ...closed, title: 'DeleteWorkspace' },
);

export const DeletionPlanned = Type.Object({ deleted_at: Timestamp }, { ...closed, title: 'WorkspaceDeletion' });
