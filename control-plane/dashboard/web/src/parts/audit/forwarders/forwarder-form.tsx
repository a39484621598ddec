import { Button, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiProblem } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { Check } from '../../../components/form/check.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts as auditTexts } from '../texts/texts.ts';
import { type ForwarderValues, SCHEMES, SEVERITIES } from './form-values.ts';

const texts = auditTexts.forwarders;
const words = texts.form;
const FORMATS = ['json', 'cef', 'ocsf'] as const;

interface ForwarderFormProps {
  initial: ForwarderValues;
  /** Whether the receiver already gets a secret, which is never shown. */
  hasAuth: boolean;
  isNew: boolean;
  isBusy: boolean;
  error: unknown;
  save(values: ForwarderValues): void;
  close(): void;
}

/** Whether the address is not written as the chosen way needs it. */
const isForm = (error: unknown): boolean =>
  error instanceof ApiProblem && error.problems.some(({ code }) => code === 'forward_target');

/** The settings of a forwarder. What the API refuses is said at the field, and what was typed stays. */
export function ForwarderForm({ initial, hasAuth, isNew, isBusy, error, save, close }: ForwarderFormProps) {
  const form = useForm<ForwarderValues>({
    initialValues: initial,
    validate: { severities: (chosen) => (chosen.length === 0 ? words.noSeverity : null) },
  });
  const { scheme, severities, removesAuth } = form.values;
  const isWebhook = scheme === 'https';
  const { target: said, ...refused } = fieldErrors(error);
  const target = said === undefined || !isForm(error) ? said : isWebhook ? words.badUrl : words.badAddress;
  const input = (field: keyof ForwarderValues) => ({
    ...form.getInputProps(field),
    error: form.errors[field] ?? refused[field],
  });
  return (
    <form className="form-panel" onSubmit={form.onSubmit(save)} noValidate>
      <NativeSelect
        {...{ label: words.type, description: words.typeHelp[scheme], ...form.getInputProps('scheme') }}
        data={SCHEMES.map((value) => ({ value, label: words.types[value] }))}
      />
      <TextInput
        label={isWebhook ? words.url : words.address}
        placeholder={isWebhook ? words.urlPlaceholder : words.addressPlaceholder}
        {...{ maxLength: 2_048, ...form.getInputProps('address'), error: target, autoFocus: isNew }}
      />
      <TextInput label={words.name} description={words.nameHelp} maxLength={200} {...input('name')} />
      <NativeSelect
        {...{ label: words.format, ...input('format') }}
        data={FORMATS.map((value) => ({ value, label: texts.formats[value] }))}
      />
      <fieldset className="form-choices forwarder-choices">
        <legend>{words.severity}</legend>
        {SEVERITIES.map((severity) => (
          <Check
            key={severity}
            {...{ name: severity, label: texts.severities[severity], isOn: severities.includes(severity) }}
            change={(isOn) =>
              form.setFieldValue(
                'severities',
                SEVERITIES.filter((one) => (one === severity ? isOn : severities.includes(one))),
              )
            }
          />
        ))}
        {form.errors['severities'] === undefined ? null : (
          <p className="tone-down" role="alert">
            {form.errors['severities']}
          </p>
        )}
      </fieldset>
      {isWebhook ? (
        <PasswordInput
          {...{ label: words.auth, description: hasAuth ? words.authKept : words.authHelp, autoComplete: 'off' }}
          {...{ ...input('auth'), disabled: removesAuth, maxLength: 4_096 }}
        />
      ) : null}
      {isWebhook && hasAuth ? (
        <Check
          {...{ name: 'removesAuth', label: words.authRemove, isOn: removesAuth }}
          change={(isOn) => form.setFieldValue('removesAuth', isOn)}
        />
      ) : null}
      <Textarea label={words.ca} description={words.caHelp} rows={3} {...input('ca')} />
      <TextInput
        {...{ type: 'datetime-local', label: isNew ? words.fromNew : words.from }}
        {...{ description: isNew ? words.fromNewHelp : words.fromHelp, ...input('from') }}
      />
      {target === undefined && Object.keys(refused).length === 0 ? <ActionProblem error={error} /> : null}
      <div className="page-actions">
        <Button type="submit" loading={isBusy}>
          {isNew ? words.create : words.save}
        </Button>
        <Button variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
