import '../theme/tokens.css';
import './entrance.css';
import type { LogInReason } from '../api/log-in-url.ts';
import { texts } from '../texts/entrance.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../texts/language.ts';
import { followScheme } from '../theme/colour-scheme.ts';
import { confirmEmailPage } from './confirm-email.ts';
import { el } from './dom.ts';
import { invitationPage } from './invitation.ts';
import { logInPage } from './log-in.ts';
import { loggedInPage } from './logged-in.ts';
import { forgotPasswordPage, resetPasswordPage } from './password.ts';
import { signUpPage } from './sign-up.ts';

/** The pages of people who are not logged in, by the last part of the path. The server has the same list. */
const PAGES: Record<string, () => void | Promise<void>> = {
  login: () => logInPage({ said: whyHere() }),
  'logged-in': loggedInPage,
  'sign-up': signUpPage,
  'forgot-password': forgotPasswordPage,
  'reset-password': resetPasswordPage,
  'confirm-email': confirmEmailPage,
  invitation: invitationPage,
};

/** The reason that the link to the log-in page named; empty without one. */
function whyHere(): string {
  const reasons: Record<string, string | undefined> = texts.logInReasons satisfies Record<LogInReason, string>;
  return reasons[new URLSearchParams(location.search).get('reason') ?? ''] ?? '';
}

function languages(): HTMLElement {
  const buttons = Object.entries(LANGUAGES).map(([language, name]) => {
    const isShown = language === currentLanguage();
    const button = el(
      'button',
      { type: 'button', class: 'plain', lang: language, 'aria-pressed': String(isShown) },
      name,
    );
    button.addEventListener('click', () => chooseLanguage(language as Language));
    return button;
  });
  return el('footer', { 'aria-label': texts.language }, ...buttons);
}

followScheme();
document.documentElement.lang = currentLanguage();
const brand = el('p', { class: 'brand' }, el('span', { class: 'mark', 'aria-hidden': 'true' }), 'Picket');
document.getElementById('page')?.replaceChildren(el('header', {}, brand), el('div', { id: 'card' }), languages());
void (PAGES[location.pathname.split('/').at(-1) ?? ''] ?? logInPage)();
