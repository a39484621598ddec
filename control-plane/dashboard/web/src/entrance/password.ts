import { call } from '../api/client.ts';
import { texts } from '../texts/entrance.ts';
import { el, link, show } from './dom.ts';
import { form } from './form.ts';
import { logInPage } from './log-in.ts';
import { tokenOfLink } from './next.ts';

const toLogIn = () => el('p', { class: 'links' }, link('login', texts.logIn));

/** Whether this installation sends e-mail; the page has it from the server. */
const sendsEmail = () => document.documentElement.dataset['mail'] === 'sent';

/** Asks for the address that the link for a new password goes to; without a mail server it says who makes the link. */
export function forgotPasswordPage(): void {
  if (!sendsEmail()) {
    show(texts.forgotTitle, el('p', { class: 'note' }, texts.forgotNoMail), toLogIn());
    return;
  }
  const fields = form({
    fields: [{ name: 'email', label: texts.email, type: 'email', autocomplete: 'username' }],
    submit: texts.sendLink,
    async onSubmit({ email = '' }) {
      await call('POST', '/v1/auth/password/forgot', { email: email.trim() });
      show(
        texts.forgotTitle,
        el('p', { class: 'note good', role: 'status' }, texts.forgotSent(email.trim())),
        toLogIn(),
      );
    },
  });
  show(texts.forgotTitle, el('p', {}, texts.forgotHelp), fields, toLogIn());
}

/** Sets the new password with the token of the link. */
export function resetPasswordPage(): void {
  const token = tokenOfLink();
  if (token === null) {
    incompleteLink(texts.resetTitle);
    return;
  }
  const again = el('p', { class: 'links' }, link('forgot-password', sendsEmail() ? texts.sendLink : texts.forgot));
  const fields = form({
    fields: [
      {
        ...{ name: 'password', label: texts.newPassword, type: 'password', autocomplete: 'new-password' },
        help: texts.passwordHelp,
      },
    ],
    submit: texts.setPassword,
    async onSubmit({ password }) {
      await call('POST', '/v1/auth/password/reset', { token, password });
      history.replaceState(null, '', 'login');
      logInPage({ said: texts.resetDone, isGood: true });
    },
  });
  show(texts.resetTitle, fields, again);
}

export function incompleteLink(title: string): void {
  show(title, el('p', { class: 'note bad', role: 'alert' }, texts.linkIncomplete), toLogIn());
}
