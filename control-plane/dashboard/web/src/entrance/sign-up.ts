import { call } from '../api/client.ts';
import { texts } from '../texts/entrance.ts';
import { el, link, show } from './dom.ts';
import { form } from './form.ts';
import { openNext } from './next.ts';

export function signUpPage(): void {
  const logIn = el('p', { class: 'links' }, `${texts.haveAccount} `, link('login', texts.logIn));
  if (document.documentElement.dataset['signUp'] !== 'open') {
    show(texts.signUpTitle, el('p', { class: 'note' }, texts.signUpClosed), logIn);
    return;
  }
  const fields = form({
    fields: [
      {
        ...{ name: 'workspace_name', label: texts.workspaceName, type: 'text', autocomplete: 'organization' },
        help: texts.workspaceHelp,
      },
      { name: 'email', label: texts.email, type: 'email', autocomplete: 'username' },
      {
        ...{ name: 'password', label: texts.password, type: 'password', autocomplete: 'new-password' },
        help: texts.passwordHelp,
      },
    ],
    submit: texts.createAccount,
    async onSubmit({ workspace_name = '', email = '', password }) {
      await call('POST', '/v1/auth/signup', { workspace_name: workspace_name.trim(), email: email.trim(), password });
      openNext();
    },
  });
  show(texts.signUpTitle, fields, logIn);
}
