import { NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiUrl } from '../../api/client.ts';
import { leaveFor } from '../../api/loaded-for.ts';
import { apiPath } from '../../api/path.ts';
import type { Member } from '../../api/types.ts';
import { useAccount } from '../../app/account.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Day, Since } from '../../components/time/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { givenBy, mayChange, type Role } from './rights.ts';
import { texts } from './texts/texts.ts';

export function MemberRow({ member }: { member: Member }) {
  const account = useAccount();
  const isSelf = member.id === account.id;
  const isChangeable = mayChange(account, member);
  return (
    <li className="team-row">
      <div className="row-main">
        <p className="wrap strong">
          <bdi>{member.email}</bdi>
          {isSelf ? <span className="soft"> ({texts.you})</span> : null}
        </p>
        <p className="row-detail wrap">
          {member.second_factor ? texts.hasFactor : texts.noFactor} · {texts.joined} <Day at={member.joined_at} />
          {isSelf ? null : <LastActive at={member.last_active_at} />}
        </p>
      </div>
      <RoleChoice member={member} isChangeable={isChangeable} />
      {isChangeable ? <RemoveMember member={member} /> : null}
      {isSelf ? <Leave member={member} /> : null}
    </li>
  );
}

/** When somebody else was there; who reads this is there now. */
function LastActive({ at }: { at: string | null }) {
  return <> · {at === null ? texts.neverActive : <Since at={at} wrap={(ago) => texts.active(ago)} />}</>;
}

/** The role; changed at once, with a way back. */
function RoleChoice({ member, isChangeable }: { member: Member; isChangeable: boolean }) {
  const account = useAccount();
  const queries = useQueryClient();
  const change = useMutation({
    // One after the other: the select stays one that can be used, so that it keeps the focus.
    scope: { id: `role ${member.id}` },
    mutationFn: (role: Role) => confirmedCall('PATCH', apiPath`/v1/team/members/${member.id}`, { role }),
    onSuccess(_, role) {
      toast({ text: texts.roleChanged(member.email, texts.roles[role]), undo: () => change.mutate(member.role) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['team'] }),
  });
  if (!isChangeable) return <span className="team-role">{texts.roles[member.role]}</span>;
  return (
    <>
      <NativeSelect
        aria-label={texts.roleOf(member.email)}
        value={change.isPending ? change.variables : member.role}
        onChange={({ currentTarget }) => change.mutate(currentTarget.value as Role)}
        data={givenBy(account).map((value) => ({ value, label: texts.roles[value] }))}
      />
      <ActionProblem error={change.error} />
    </>
  );
}

/** The channels that reach nobody any more, if there are some. */
interface Muted {
  data: { notify_nobody: { items: { name: string }[] } };
}

function RemoveMember({ member }: { member: Member }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => confirmedCall<Muted | undefined>('DELETE', apiPath`/v1/team/members/${member.id}`),
    onSuccess: (answer) => {
      toast({ text: texts.removed(member.email), undo: null });
      const names = answer?.data.notify_nobody.items.map(({ name }) => name) ?? [];
      if (names.length > 0) toast({ text: texts.notifyNobody(names.join(', ')), undo: null });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['team'] }),
  });
  return (
    <ConfirmButton label={texts.remove} title={texts.removeTitle(member.email)} action={remove}>
      {texts.removeText}
    </ConfirmButton>
  );
}

function Leave({ member }: { member: Member }) {
  const { workspace } = useAccount();
  const leave = useMutation({
    mutationFn: () => confirmedCall('DELETE', apiPath`/v1/team/members/${member.id}`),
    // The session in this workspace has ended.
    onSuccess: () => leaveFor(apiUrl('/login')),
  });
  return (
    <ConfirmButton label={texts.leave} title={texts.leaveTitle(workspace.name)} action={leave}>
      {texts.leaveText}
    </ConfirmButton>
  );
}
