import { call } from '../api/client.ts';
import { texts } from '../texts/entrance.ts';
import { el, link, show } from './dom.ts';
import { form } from './form.ts';
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
      await call('POST', '/v1/auth/email/confirm', { token });
      show(
        texts.confirmTitle,
        el('p', { class: 'note good', role: 'status' }, texts.confirmDone),
        el('p', { class: 'links' }, link('./', texts.toDashboard)),
      );
    },
  });
  show(texts.confirmTitle, el('p', {}, texts.confirmHelp), confirm);
}
