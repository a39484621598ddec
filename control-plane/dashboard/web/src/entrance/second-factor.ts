import type { ApiProblem } from '../api/client.ts';
import { texts } from '../texts/entrance.ts';
import { el, show } from './dom.ts';
import { form, problemText } from './form.ts';
import { askPasskey } from './passkey.ts';

/** What proves the second factor: a field of the log-in. */
export type Proof = { totp: string } | { recovery_code: string } | { passkey: object };

interface Question {
  /** What the person has: `totp`, `passkey`, `recovery_code`. */
  factors: readonly string[];
  /** Sends the log-in again with the proof. Throws ApiProblem. */
  prove(proof: Proof): Promise<void>;
  back(): void;
}

const explain = ({ status }: ApiProblem) => (status === 401 ? texts.wrongFactor : null);

/** Asks for the second factor, the app first. */
export function askSecondFactor(question: Question): void {
  if (question.factors.includes('totp')) askCode(question);
  else if (question.factors.includes('passkey')) askForPasskey(question);
  else askRecoveryCode(question);
}

function askCode(question: Question): void {
  const code = form({
    fields: [
      {
        ...{ name: 'totp', label: texts.secondCode, type: 'text', autocomplete: 'one-time-code' },
        attributes: { inputmode: 'numeric', maxlength: '7' },
      },
    ],
    submit: texts.continue,
    onSubmit: ({ totp = '' }) => question.prove({ totp: totp.replaceAll(/\s/g, '') }),
    explain: (problem) => (problem.status === 422 ? texts.wrongFactor : explain(problem)),
  });
  show(texts.secondTitle, el('p', {}, texts.secondApp), code, others(question, 'totp'));
}

function askRecoveryCode(question: Question): void {
  const code = form({
    fields: [{ name: 'recovery_code', label: texts.secondRecoveryCode, type: 'text', autocomplete: 'off' }],
    submit: texts.continue,
    onSubmit: ({ recovery_code = '' }) => question.prove({ recovery_code }),
    explain,
  });
  show(texts.secondTitle, el('p', {}, texts.secondRecoveryHelp), code, others(question, 'recovery_code'));
}

function askForPasskey(question: Question): void {
  const note = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const say = (text: string) => {
    note.textContent = text;
    note.hidden = false;
  };
  const button = el('button', { type: 'button', class: 'primary' }, texts.secondPasskey);
  button.addEventListener('click', async () => {
    note.hidden = true;
    try {
      const passkey = await askPasskey('second_factor');
      if (passkey === null) say(texts.passkeyCancelled);
      else await question.prove({ passkey });
    } catch (error) {
      say(explain(error as ApiProblem) ?? problemText(error as ApiProblem));
    }
  });
  show(texts.secondTitle, el('p', {}, texts.secondPasskeyHelp), note, button, others(question, 'passkey'));
}

/** The other ways, and the way back. */
function others(question: Question, shown: string): HTMLElement {
  const ways: [string, string, (question: Question) => void][] = [
    ['totp', texts.useApp, askCode],
    ['passkey', texts.secondPasskey, askForPasskey],
    ['recovery_code', texts.secondRecovery, askRecoveryCode],
  ];
  const possible = ways.filter(([way]) => way !== shown && question.factors.includes(way));
  const button = (text: string, act: () => void) => {
    const element = el('button', { type: 'button', class: 'plain' }, text);
    element.addEventListener('click', act);
    return element;
  };
  return el(
    'p',
    { class: 'links' },
    ...possible.map(([, text, ask]) => button(text, () => ask(question))),
    button(texts.back, question.back),
  );
}
