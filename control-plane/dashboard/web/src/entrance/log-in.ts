import { ApiProblem, apiUrl, call } from '../api/client.ts';
import type { One } from '../api/types.ts';
import { texts } from '../texts/entrance.ts';
import { el, link, show } from './dom.ts';
import { form, problemText } from './form.ts';
import { openNext } from './next.ts';
import { askPasskey, canUsePasskeys } from './passkey.ts';
import { askSecondFactor, type Proof } from './second-factor.ts';

interface LogInProps {
  /** What was typed already. */
  email?: string;
  /** Shown above the form. */
  said?: string;
  /** Whether that is a success. */
  isGood?: boolean;
}

/** The page that logs in. */
export function logInPage({ email = '', said = '', isGood = false }: LogInProps = {}): void {
  const fields = form({
    fields: [
      { name: 'email', label: texts.email, type: 'email', autocomplete: 'username', value: email },
      { name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password' },
    ],
    submit: texts.logIn,
    onSubmit: ({ email: typed = '', password = '' }) => logIn(typed.trim(), password),
    explain: ({ code }) => (code === 'unauthenticated' ? texts.wrongPassword : null),
  });
  const more = el('div', { class: 'more' });
  const signUp = document.documentElement.dataset['signUp'] === 'open';
  show(
    texts.logInTitle,
    said === '' ? null : el('p', { class: isGood ? 'note good' : 'note', role: 'status' }, said),
    fields,
    el('p', { class: 'links' }, link('forgot-password', texts.forgot)),
    more,
    signUp ? el('p', { class: 'links' }, `${texts.noAccount} `, link('sign-up', texts.signUp)) : null,
  );
  if (canUsePasskeys()) more.append(passkeyButton());
  void offerSingleSignOn(more);
}

async function logIn(email: string, password: string, proof?: Proof): Promise<void> {
  try {
    await call('POST', '/v1/auth/login', { email, password, ...proof });
    openNext();
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    const { code, body } = error;
    if (code === 'second_factor_required') return askFactor(body['second_factors'], email, password);
    if (code === 'single_sign_on_required' && typeof body['sign_in_url'] === 'string') {
      return location.assign(body['sign_in_url']);
    }
    throw error;
  }
}

function askFactor(factors: unknown, email: string, password: string): void {
  askSecondFactor({
    factors: Array.isArray(factors) ? factors.map(String) : [],
    prove: (proof) => logIn(email, password, proof),
    back: () => logInPage({ email }),
  });
}

function passkeyButton(): HTMLElement {
  const note = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const button = el('button', { type: 'button' }, texts.logInWithPasskey);
  button.addEventListener('click', async () => {
    note.hidden = true;
    try {
      const credential = await askPasskey('login');
      if (credential !== null) {
        await call('POST', '/v1/auth/passkeys/login', { credential });
        return openNext();
      }
      note.textContent = texts.passkeyCancelled;
    } catch (error) {
      note.textContent = problemText(error as ApiProblem);
    }
    note.hidden = false;
  });
  return el('div', {}, button, note);
}

/** The button appears when the API has said that there is an identity provider; the form does not wait for it. */
async function offerSingleSignOn(more: HTMLElement): Promise<void> {
  const { data } = await call<One<{ installation: { name: string; start_url: string } | null }>>(
    'GET',
    '/v1/auth/sso',
  ).catch(() => ({ data: { installation: null } }));
  if (data.installation === null) return;
  const start = new URL(apiUrl('/v1/auth/sso/start'));
  const next = new URLSearchParams(location.search).get('next');
  if (next !== null) start.searchParams.set('next', next);
  more.append(el('a', { class: 'button', href: start.href }, texts.logInWith(data.installation.name)));
}
