import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Check } from './check.tsx';
import { errorAt } from './error-at.ts';
import type { FieldsProps } from './fields-props.ts';
import { STORED } from './form-values.ts';
import { words } from './texts/texts.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const HEADERS_MAX = 50;
const { labels, help } = words;

/** What an http check sends, and what it expects. */
export function RequestFields({ form }: FieldsProps) {
  const { http } = form.values;
  const toggle = (field: 'follow_redirects' | 'ignore_tls_errors') => () =>
    form.setFieldValue(`http.${field}`, !http[field]);
  return (
    <section className="panel edit-group">
      <h2>{words.groups.request}</h2>
      <NativeSelect label={labels['http.method']} {...form.getInputProps('http.method')} data={METHODS} />
      <TextInput
        label={labels['http.expected_status']}
        inputMode="numeric"
        {...form.getInputProps('http.expected_status')}
      />
      <TextInput label={labels['http.keyword']} {...form.getInputProps('http.keyword')} />
      <TextInput label={labels['http.keyword_absent']} {...form.getInputProps('http.keyword_absent')} />
      <div className="edit-checks">
        <Check
          label={labels['http.follow_redirects'] ?? ''}
          isOn={http.follow_redirects}
          toggle={toggle('follow_redirects')}
        />
        <Check
          label={labels['http.ignore_tls_errors'] ?? ''}
          isOn={http.ignore_tls_errors}
          toggle={toggle('ignore_tls_errors')}
        />
        <p className="soft">{help.ignoreTls}</p>
      </div>
      <HeaderFields form={form} />
      <BodyField form={form} />
    </section>
  );
}

function HeaderFields({ form }: FieldsProps) {
  const { headers } = form.values.http;
  const set = (rows: typeof headers) => form.setFieldValue('http.headers', rows);
  const change = (row: number, part: Partial<(typeof headers)[number]>) =>
    set(headers.map((one, index) => (index === row ? { ...one, ...part } : one)));
  const error = errorAt(form.errors, 'http.headers');
  return (
    <fieldset className="edit-checks">
      <legend>{labels['http.headers']}</legend>
      <p className="soft">{help.headers}</p>
      {headers.map(({ name, value }, row) => (
        <div key={row} className="edit-header">
          <TextInput
            aria-label={words.headerName(row + 1)}
            value={name}
            onChange={({ currentTarget }) => change(row, { name: currentTarget.value })}
          />
          <TextInput
            aria-label={words.headerValue(row + 1)}
            autoComplete="off"
            value={value === STORED ? '' : value}
            placeholder={value === STORED ? words.stored : ''}
            onChange={({ currentTarget }) => change(row, { value: currentTarget.value })}
          />
          <Button
            variant="default"
            aria-label={words.remove(name)}
            onClick={() => set(headers.filter((_, index) => index !== row))}
          >
            ×
          </Button>
        </div>
      ))}
      {error === undefined ? null : (
        <p className="tone-down" role="alert">
          {error}
        </p>
      )}
      {headers.length >= HEADERS_MAX ? null : (
        <div>
          <Button variant="default" size="compact-sm" onClick={() => set([...headers, { name: '', value: '' }])}>
            {words.addHeader}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function BodyField({ form }: FieldsProps) {
  const { body } = form.values.http;
  const set = (text: string | null) => form.setFieldValue('http.body', text);
  if (body !== null && body !== STORED) {
    return (
      <div className="edit-checks">
        <Textarea
          {...{ label: labels['http.body'], rows: 5, value: body, error: errorAt(form.errors, 'http.body') }}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
        <div>
          <Button variant="default" size="compact-sm" onClick={() => set(null)}>
            {words.removeBody}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="edit-checks">
      <p className="edit-label">{labels['http.body']}</p>
      {body === STORED ? <p className="soft">{words.bodyStored}</p> : null}
      <div className="page-actions">
        <Button variant="default" size="compact-sm" onClick={() => set('')}>
          {body === STORED ? words.replaceBody : words.addBody}
        </Button>
        {body === STORED ? (
          <Button variant="default" size="compact-sm" onClick={() => set(null)}>
            {words.removeBody}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
