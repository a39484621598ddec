import { words } from '../../edit/texts/texts.ts';
import { texts } from '../texts/texts.ts';
import { Choice, TextChoice } from './choice.tsx';
import type { ChoicesProps } from './choices-props.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const STATUS_CHARS = 3;
const KEYWORD_CHARS_MAX = 1_000;

/** What monitors of web pages send, and what they expect. Headers and bodies have secrets, so each is edited by itself. */
export function RequestChoices({ edited, problems, change }: ChoicesProps) {
  const label = (field: string) => words.labels[`http.${field}`] ?? '';
  const yesOrNo = [
    { value: true, label: texts.values.yes },
    { value: false, label: texts.values.no },
  ];
  const text = (field: 'keyword' | 'keyword_absent') => (
    <TextChoice
      {...{ name: field, label: label(field), value: edited[field], none: texts.values.nothing }}
      {...{ maxLength: KEYWORD_CHARS_MAX, error: problems[field] === undefined ? undefined : texts.form.missing }}
      change={(value) => change(field, value)}
    />
  );
  return (
    <>
      <Choice
        {...{ name: 'method', label: label('method'), value: edited.method }}
        options={METHODS.map((value) => ({ value, label: value }))}
        change={(value) => change('method', value)}
      />
      <TextChoice
        {...{ name: 'expected_status', label: label('expected_status'), value: edited.expected_status }}
        {...{ none: null, maxLength: STATUS_CHARS }}
        error={problems.expected_status === undefined ? undefined : texts.form.badStatus}
        change={(value) => change('expected_status', value ?? undefined)}
      />
      {text('keyword')}
      {text('keyword_absent')}
      <Choice
        {...{ name: 'follow_redirects', label: label('follow_redirects'), value: edited.follow_redirects }}
        options={yesOrNo}
        change={(value) => change('follow_redirects', value)}
      />
      <Choice
        {...{ name: 'ignore_tls_errors', label: label('ignore_tls_errors'), value: edited.ignore_tls_errors }}
        options={yesOrNo}
        change={(value) => change('ignore_tls_errors', value)}
      />
    </>
  );
}
