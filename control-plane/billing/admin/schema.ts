import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { NO_CONTROLS_PATTERN, SearchText } from '../../http/input/text.js';
import { PageParameters } from '../../http/paging.js';
import { idPattern } from '../../storage/ids.js';
import { AcceptOverQuota, Plan, QuotaUse } from '../schema.js';

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const WorkspaceId = Type.String({ pattern: idPattern('ws'), examples: ['ws_01kf5e6q0h3v8r2m9x4t7c1z5n'] });
const REASON_CHARS_MAX = 500;

export const WorkspaceParams = Type.Object({ id: WorkspaceId }, closed);

export const ListWorkspaces = Type.Object(
  {
    q: Type.Optional(
      SearchText({
        description: 'The e-mail address of a member, the whole id, or part of the name, case-insensitive.',
      }),
    ),
    plan: Type.Optional(Plan),
    suspended: Type.Optional(Type.Boolean({ description: 'Only suspended workspaces, or only the others.' })),
    ...PageParameters,
  },
  closed,
);
export type ListWorkspaces = Static<typeof ListWorkspaces>;

export const SetPlan = Type.Object({ plan: Plan, accept_over_quota: AcceptOverQuota }, { ...closed, title: 'SetPlan' });

export const SuspendRequest = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: REASON_CHARS_MAX,
      pattern: NO_CONTROLS_PATTERN,
      description: 'Shown to the people of the workspace with every request.',
      examples: ['Payment overdue since January. Contact billing@example.com.'],
    }),
  },
  { ...closed, title: 'Suspend' },
);

const fields = {
  id: WorkspaceId,
  name: Type.String({ examples: ['Example Ltd'] }),
  plan: Plan,
  created_at: Timestamp,
  suspended: nullable(Type.Object({ at: Timestamp, reason: Type.String({ examples: ['Payment overdue.'] }) }, closed)),
  deletion_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the workspace is deleted, as one of its owners requested; otherwise null.',
    examples: [null],
  }),
};

export const AdminWorkspace = Type.Object(fields, { ...closed, title: 'AdminWorkspace' });
export type AdminWorkspace = Static<typeof AdminWorkspace>;

export const AdminWorkspaceUsage = Type.Object(
  {
    ...fields,
    subscription: Type.Union([Type.String(), Type.Null()], {
      description: 'The status of its subscription at Stripe; null without one.',
      examples: ['active'],
    }),
    quotas: Type.Array(QuotaUse),
  },
  { ...closed, title: 'AdminWorkspaceUsage' },
);
