import { ApiProblem } from '../api/client.ts';
import { texts } from '../texts/entrance.ts';
import { el } from './dom.ts';

export interface Field {
  name: string;
  label: string;
  type: 'email' | 'text' | 'password';
  autocomplete: string;
  help?: string;
  value?: string;
  /** Attributes of the input, such as `inputmode`. */
  attributes?: Record<string, string>;
}

interface FormOptions {
  fields: readonly Field[];
  submit: string;
  /** Throws ApiProblem; the form then says why and keeps what was typed. */
  onSubmit(values: Record<string, string>): Promise<void>;
  /** Returns what a problem means on this page; null for the usual text. */
  explain?(problem: ApiProblem): string | null;
}

/** Returns a form that keeps what was typed when the request fails, and says at each field what is wrong. */
export function form({ fields, submit, onSubmit, explain = () => null }: FormOptions): HTMLFormElement {
  const note = el('p', { class: 'note bad', role: 'alert', hidden: true });
  const button = el('button', { type: 'submit', class: 'primary' }, submit);
  const rows = fields.map(fieldRow);
  const element = el('form', { novalidate: true }, note, ...rows.map(({ row }) => row), button);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    note.hidden = true;
    for (const row of rows) row.say('');
    const empty = rows.filter(({ input }) => input.value.trim() === '');
    for (const row of empty) row.say(texts.required);
    if (empty.length > 0) return empty[0]?.input.focus();
    button.setAttribute('aria-disabled', 'true');
    try {
      await onSubmit(Object.fromEntries(rows.map(({ input }) => [input.name, input.value])));
    } catch (error) {
      const problem = error instanceof ApiProblem ? error : new ApiProblem(0, {}, null);
      const named = rows.filter((row) => row.say(problem.fields[`/${row.input.name}`] ?? ''));
      note.textContent = named.length > 0 ? '' : (explain(problem) ?? problemText(problem));
      note.hidden = named.length > 0;
      (named[0]?.input ?? rows.at(-1)?.input)?.focus();
    } finally {
      button.removeAttribute('aria-disabled');
    }
  });
  return element;
}

/** Returns what a problem means and what to do. */
export function problemText({ status, retryAfterS, message }: ApiProblem): string {
  if (status === 0) return texts.unreachable;
  if (status === 429) return texts.tooMany(Math.max(1, Math.ceil((retryAfterS ?? 60) / 60)));
  if (status >= 500) return texts.unavailable;
  return message === '' ? texts.unavailable : message;
}

interface Row {
  row: HTMLElement;
  input: HTMLInputElement;
  /** Shows what is wrong with the field, or nothing. Returns whether something is. */
  say(problem: string): boolean;
}

function fieldRow({ name, label, type, autocomplete, help, value, attributes = {} }: Field): Row {
  const [inputId, helpId, errorId] = [`field-${name}`, `help-${name}`, `error-${name}`];
  const describedBy = help === undefined ? errorId : `${helpId} ${errorId}`;
  const input = el('input', {
    ...{ id: inputId, name, type, autocomplete, value: value ?? '', 'aria-describedby': describedBy },
    ...attributes,
  });
  const error = el('p', { id: errorId, class: 'error' });
  const row = el(
    'div',
    { class: 'field' },
    el('label', { for: inputId }, label),
    type === 'password' ? withToggle(input) : input,
    help === undefined ? null : el('p', { id: helpId, class: 'help' }, help),
    error,
  );
  const say = (problem: string) => {
    error.textContent = problem;
    input.setAttribute('aria-invalid', String(problem !== ''));
    return problem !== '';
  };
  return { row, input, say };
}

function withToggle(input: HTMLInputElement): HTMLElement {
  const toggle = el('input', { type: 'checkbox', id: `${input.id}-show` });
  toggle.addEventListener('change', () => {
    input.type = toggle.checked ? 'text' : 'password';
  });
  const label = el('label', { class: 'toggle', for: toggle.id }, toggle, texts.showPassword);
  return el('div', { class: 'password' }, input, label);
}
