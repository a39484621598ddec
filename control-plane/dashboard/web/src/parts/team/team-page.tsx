import { useQuery } from '@tanstack/react-query';
import { mayManage, useAccount } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Invitations } from './invitations.tsx';
import { InviteForm } from './invite-form.tsx';
import { MemberRow } from './member-row.tsx';
import { membersQuery } from './queries.ts';
import { ROLES } from './rights.ts';
import { texts } from './texts/texts.ts';
import './team.css';

export function TeamPage() {
  const { data, error, refetch } = useQuery(membersQuery);
  const isManager = mayManage(useAccount());
  if (data === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const members = data.rows.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
  const withoutFactor = members.filter(({ second_factor: has }) => !has).length;
  return (
    <>
      <PageHead title={texts.title} sentence={texts.count(members.length, withoutFactor)} />
      <div className="stack">
        {isManager ? <InviteForm /> : null}
        <Invitations isManager={isManager} />
        <section className="panel">
          <h2>{texts.members}</h2>
          <ul className="rows">
            {members.map((member) => (
              <MemberRow key={member.id} member={member} />
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}
