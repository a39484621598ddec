import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import type { Invitation, One, SentInvitation } from '../../api/types.ts';
import { useAccount } from '../../app/account.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem, LoadProblem } from '../../components/problem-note.tsx';
import { Time } from '../../components/time/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { HandedLink } from './handed-link.tsx';
import { invitationsQuery } from './queries.ts';
import { givenBy } from './rights.ts';
import { texts } from './texts/texts.ts';

/** The invitations that nobody has accepted yet. */
export function Invitations({ isManager }: { isManager: boolean }) {
  const { data, error } = useQuery(invitationsQuery);
  if (data === undefined || data.rows.length === 0) return <LoadProblem error={error} />;
  return (
    <section className="panel">
      <h2>{texts.invitations}</h2>
      <ul className="rows">
        {data.rows.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} isManager={isManager} />
        ))}
      </ul>
    </section>
  );
}

function InvitationRow({ invitation, isManager }: { invitation: Invitation; isManager: boolean }) {
  const { email, role, status, invited_by: by } = invitation;
  const account = useAccount();
  return (
    <li className="team-row">
      <div className="row-main">
        <p className="wrap strong">
          <bdi>{email}</bdi>
        </p>
        <p className="row-detail wrap">
          {texts.roles[role]} · {invitation.sent_by_email ? texts.by(by.email) : texts.notSent(by.email)}{' '}
          <Time at={invitation.sent_at} />
        </p>
        <p className={`row-detail wrap ${status === 'open' ? '' : 'tone-warning'}`}>
          {texts.invitationStatus[status]}
          {status === 'open' ? (
            <>
              {' '}
              <Time at={invitation.expires_at} />
            </>
          ) : null}
        </p>
      </div>
      {isManager && givenBy(account).includes(role) ? <InvitationActions invitation={invitation} /> : null}
    </li>
  );
}

function InvitationActions({ invitation: { id, email } }: { invitation: Invitation }) {
  const queries = useQueryClient();
  const { sends_email: sendsEmail } = useAccount();
  const settled = () => queries.invalidateQueries({ queryKey: ['team'] });
  const resend = useMutation({
    mutationFn: async () =>
      (await confirmedCall<One<SentInvitation>>('POST', apiPath`/v1/team/invitations/${id}/resend`)).data,
    onSuccess: (sent) => (sent.sent_by_email ? toast({ text: texts.invited(email), undo: null }) : undefined),
    onSettled: settled,
  });
  const revoke = useMutation({
    mutationFn: () => confirmedCall('DELETE', apiPath`/v1/team/invitations/${id}`),
    onSuccess: () => toast({ text: texts.revoked(email), undo: null }),
    onSettled: settled,
  });
  return (
    <div className="page-actions">
      <Button variant="default" onClick={() => resend.mutate()} loading={resend.isPending}>
        {sendsEmail ? texts.resend : texts.newLink}
        <span className="only-spoken"> {email}</span>
      </Button>
      <ConfirmButton label={texts.revoke} title={texts.revokeTitle(email)} action={revoke}>
        {texts.revokeText}
      </ConfirmButton>
      <ActionProblem error={resend.error} />
      {resend.data === undefined ? null : <HandedLink sent={resend.data} />}
    </div>
  );
}
