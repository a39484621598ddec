import { ApiProblem, call } from '../api/client.ts';
import { texts } from '../texts/entrance.ts';
import { el, link, show } from './dom.ts';
import { type Field, form } from './form.ts';
import { tokenOfLink } from './next.ts';
import { incompleteLink } from './password.ts';

/** A button instead of a request at once: programs that check links in e-mails must not use the token up. */
export function confirmEmailPage(): void {
  const token = tokenOfLink();
  if (token === null) {
    incompleteLink(texts.confirmTitle);
    return;
  }
  const confirm = form({
    fields: [],
    submit: texts.confirm,
    async onSubmit() {
      try {
        await confirmed({ token });
      } catch (problem) {
        if (!(problem instanceof ApiProblem) || problem.fields['/password'] === undefined) throw problem;
        askPassword(token);
      }
    },
  });
  show(texts.confirmTitle, el('p', {}, texts.confirmHelp), confirm);
}

const PASSWORD: Field = {
  ...{ name: 'password', type: 'password', autocomplete: 'current-password' },
  label: texts.yourPassword,
};

/** For a browser that is not logged in with the account. Whoever did not make the account does not know its password. */
function askPassword(token: string): void {
  const confirm = form({
    fields: [PASSWORD],
    submit: texts.confirm,
    onSubmit: ({ password }) => confirmed({ token, password }),
  });
  const forgot = el('p', { class: 'links' }, link('forgot-password', texts.forgot));
  show(texts.confirmTitle, el('p', {}, texts.confirmPasswordHelp), confirm, forgot);
}

async function confirmed(body: { token: string; password?: string | undefined }): Promise<void> {
  await call('POST', '/v1/auth/email/confirm', body);
  show(
    texts.confirmTitle,
    el('p', { class: 'note good', role: 'status' }, texts.confirmDone),
    el('p', { class: 'links' }, link('./', texts.toDashboard)),
  );
}
