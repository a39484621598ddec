import { ApiProblem, call } from '../api/client.ts';
import type { InvitationPreview, One } from '../api/types.ts';
import { texts } from '../texts/entrance.ts';
import { el, link, show } from './dom.ts';
import { type Field, form, problemText } from './form.ts';
import { tokenOfLink } from './next.ts';
import { incompleteLink } from './password.ts';
import { askSecondFactor, type Proof } from './second-factor.ts';

/** Shows what an invitation offers, and accepts it. */
export async function invitationPage(): Promise<void> {
  const token = tokenOfLink();
  if (token === null) return incompleteLink(texts.invitationLoading);
  show(texts.invitationLoading);
  try {
    const { data } = await call<One<InvitationPreview>>('POST', '/v1/team/invitations/preview', { token });
    offer(data, token);
  } catch (error) {
    const problem = error as ApiProblem;
    const said = problem.status === 422 ? texts.invitationInvalid : problemText(problem);
    const note = el('p', { class: 'note bad', role: 'alert' }, said);
    show(texts.invitationTitle('Picket'), note, el('p', { class: 'links' }, link('login', texts.logIn)));
  }
}

function offer(preview: InvitationPreview, token: string): void {
  const { workspace, email, role, invited_by } = preview;
  const passwords: Record<InvitationPreview['password'], Field[]> = {
    none: [],
    enter: [{ name: 'password', label: texts.yourPassword, type: 'password', autocomplete: 'current-password' }],
    enter_or_choose: [
      {
        ...{ name: 'password', label: texts.eitherPassword, type: 'password', autocomplete: 'current-password' },
        help: texts.eitherPasswordHelp,
      },
    ],
    choose: [
      {
        ...{ name: 'password', label: texts.choosePassword, type: 'password', autocomplete: 'new-password' },
        help: texts.passwordHelp,
      },
    ],
  };
  const back = () => offer(preview, token);
  const accept = form({
    fields: passwords[preview.password],
    submit: texts.join,
    onSubmit: ({ password }) => join({ token, ...(password === undefined ? {} : { password }) }, back),
    explain: ({ code }) => (code === 'unauthenticated' ? texts.wrongPassword : null),
  });
  show(
    texts.invitationTitle(workspace.name),
    el('p', {}, texts.invitedBy(invited_by.email, texts.roles[role]), ' ', texts.invitationFor(email)),
    accept,
  );
}

async function join(given: { token: string; password?: string }, back: () => void, proof?: Proof): Promise<void> {
  try {
    await call('POST', '/v1/team/invitations/accept', { ...given, ...proof });
    location.assign(new URL('', document.baseURI));
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'second_factor_required') throw error;
    const factors = error.body['second_factors'];
    askSecondFactor({
      factors: Array.isArray(factors) ? factors.map(String) : [],
      prove: (given2) => join(given, back, given2),
      back,
    });
  }
}
