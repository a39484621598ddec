import { type Static, Type } from 'typebox';
import { PASSWORD_CHARS_MAX } from '../accounts/passwords/password-strength.js';
import { EmailAddress } from '../http/input/email-address.js';
import { Name, SearchText, Verbatim } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { ROLES } from '../roles.js';
import { idPattern } from '../storage/ids.js';
import { TOKEN_PATTERN } from './invitations/token.js';

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

const UserId = Type.String({ pattern: idPattern('usr'), examples: ['usr_01jjwzmz000000000000000000'] });
const InvitationId = Type.String({ pattern: idPattern('inv'), examples: ['inv_01jjwzmz000000000000000000'] });
const RoleSchema = (description: string) => Type.Enum([...ROLES], { description, examples: ['member'] });

export const MemberParams = Type.Object({ id: UserId }, closed);
export const InvitationParams = Type.Object({ id: InvitationId }, closed);
export const ListMembers = Type.Object(
  {
    ...PageParameters,
    role: Type.Optional(RoleSchema('Only members with this role.')),
    q: Type.Optional(
      SearchText({
        description: 'Part of the e-mail address.',
        examples: ['ada'],
      }),
    ),
  },
  closed,
);
export const ListInvitations = Type.Object(PageParameters, closed);

export type Member = Static<typeof Member>;
export const Member = Type.Object(
  {
    id: UserId,
    email: Type.String({ examples: ['ada@example.com'] }),
    role: RoleSchema('What the member may do in this workspace.'),
    second_factor: Type.Boolean({ description: 'Whether the member logs in with a second factor.' }),
    joined_at: Timestamp,
    last_active_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the member last used this workspace in a browser, accurate to a minute; null for never.',
      examples: ['2026-01-31T12:00:00.000Z'],
    }),
  },
  { ...closed, title: 'Member' },
);

export const ChangeRole = Type.Object(
  { role: RoleSchema('The new role. Only an owner can make or replace an owner.') },
  { ...closed, title: 'ChangeRole' },
);

export type Invitation = Static<typeof Invitation>;
export const Invitation = Type.Object(
  {
    id: InvitationId,
    email: Type.String({ examples: ['grace@example.com'] }),
    role: RoleSchema('The role that the person gets.'),
    status: Type.Enum(['open', 'expired', 'void'], {
      description:
        '`void`: the person who sent it left the workspace or may no longer give this role. Send it again to make it valid.',
      examples: ['open'],
    }),
    invited_by: Type.Object(
      { id: UserId, email: Type.String({ examples: ['ada@example.com'] }) },
      { ...closed, description: 'Who sent it last.' },
    ),
    sent_by_email: Type.Boolean({
      description:
        'Whether the link went by e-mail. false without a mail server: whoever sent the invitation has the link.',
      examples: [true],
    }),
    created_at: Timestamp,
    sent_at: Timestamp,
    expires_at: Timestamp,
  },
  { ...closed, title: 'Invitation' },
);

/** The answer to whoever has sent an invitation, the only one that can have its link. */
export const SentInvitation = Type.Object(
  {
    ...Invitation.properties,
    accept_url: Type.Optional(
      Type.String({
        description:
          'Only without a mail server, and only in this response: the link to hand to the person. It works once, for 7 days.',
        examples: [`https://picket.example.com/invitation#token=${'x'.repeat(43)}`],
      }),
    ),
  },
  { ...closed, title: 'SentInvitation' },
);

export const CreateInvitation = Type.Object(
  {
    email: EmailAddress('grace@example.com'),
    role: RoleSchema('The role that the person gets. Only an owner can invite an owner.'),
  },
  { ...closed, title: 'CreateInvitation' },
);

const Token = Type.String({
  pattern: TOKEN_PATTERN,
  description: 'The token from the link in the e-mail.',
  examples: ['x'.repeat(43)],
});

export const PreviewInvitation = Type.Object({ token: Token }, { ...closed, title: 'PreviewInvitation' });

export const InvitationPreview = Type.Object(
  {
    workspace: Type.Object({ name: Name({ examples: ['Example Ltd'] }) }, closed),
    email: Type.String({ examples: ['grace@example.com'] }),
    role: RoleSchema('The role that you get.'),
    invited_by: Type.Object({ email: Type.String({ examples: ['ada@example.com'] }) }, closed),
    account: Type.Enum(['new', 'existing', 'unknown'], {
      description:
        'Whether an account with this address exists already. `unknown` for a link that did not come by e-mail, because whoever opens it need not be that person.',
      examples: ['new'],
    }),
    password: Type.Enum(['choose', 'enter', 'enter_or_choose', 'none'], {
      description:
        'What `password` must be when you accept: `choose` a new one, `enter` that of the account, `enter_or_choose` when the account is `unknown`, or `none`, because you are logged in with this address.',
      examples: ['choose'],
    }),
    expires_at: Timestamp,
  },
  { ...closed, title: 'InvitationPreview' },
);

const RECOVERY_CODE_CHARS_MAX = 64;
/** WebAuthn defines six. */
const PASSKEY_FIELDS_MAX = 20;

export const AcceptInvitation = Type.Object(
  {
    token: Token,
    password: Type.Optional(
      Verbatim({
        minLength: 1,
        maxLength: PASSWORD_CHARS_MAX,
        description: 'A new one of at least 12 characters, or that of your account.',
        examples: ['four geese over a quiet harbour'],
      }),
    ),
    totp: Type.Optional(Type.String({ pattern: '^[0-9]{6}$' })),
    recovery_code: Type.Optional(Verbatim({ minLength: 1, maxLength: RECOVERY_CODE_CHARS_MAX })),
    passkey: Type.Optional(Type.Object({}, { additionalProperties: true, maxProperties: PASSKEY_FIELDS_MAX })),
  },
  {
    ...{ ...closed, title: 'AcceptInvitation' },
    examples: [{ token: 'x'.repeat(43), password: 'four geese over a quiet harbour' }],
  },
);
