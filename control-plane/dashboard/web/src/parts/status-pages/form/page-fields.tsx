import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { apiUrl } from '../../../api/client.ts';
import { Check } from '../../../components/form/check.tsx';
import { texts } from '../texts/texts.ts';
import { GroupsField } from './groups-field.tsx';
import type { PageInput } from './input.ts';
import { isSlug, SLUG_CHARS_MAX, slugOf } from './slug.ts';

const TITLE_CHARS_MAX = 100;
const DESCRIPTION_CHARS_MAX = 500;
const PASSWORD_CHARS_MAX = 200;
const VISIBILITIES = ['public', 'password', 'members'] as const;

interface PageFieldsProps {
  form: UseFormReturnType<PageInput>;
  /** Whether the page has a password, which an empty field keeps. */
  hasPassword: boolean;
}

/** The fields of a status page. */
export function PageFields({ form, hasPassword }: PageFieldsProps) {
  const words = texts.form;
  const { slug, color, shows_outages: showsOutages } = form.values;
  return (
    <>
      <Title form={form} />
      <TextInput
        label={words.slug}
        description={words.slugHelp(apiUrl('/status/'), slug)}
        maxLength={SLUG_CHARS_MAX}
        {...{ autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }}
        {...form.getInputProps('slug')}
        error={form.errors['slug'] ?? (slug === '' || isSlug(slug) ? undefined : words.slugRule)}
      />
      <Textarea
        label={words.description}
        description={words.descriptionHelp}
        {...{ maxLength: DESCRIPTION_CHARS_MAX, autosize: false, rows: 2 }}
        {...form.getInputProps('description')}
      />
      <GroupsField form={form} />
      <Visibility form={form} hasPassword={hasPassword} />
      <fieldset className="form-choices">
        <legend>{words.outages}</legend>
        <Check
          {...{ name: 'shows_outages', isOn: showsOutages, label: words.showsOutages, help: words.showsOutagesHelp }}
          change={(isOn) => form.setFieldValue('shows_outages', isOn)}
        />
        {showsOutages ? (
          <TextInput
            label={words.outageMinutes}
            inputMode="numeric"
            {...form.getInputProps('incidents_after_minutes')}
          />
        ) : null}
      </fieldset>
      <div className="form-row">
        <TextInput label={words.timeZone} description={words.timeZoneHelp} {...form.getInputProps('time_zone')} />
        <TextInput
          {...{ type: 'color', label: words.color, description: words.colorHelp, value: color }}
          error={form.errors['color']}
          onChange={({ currentTarget }) => form.setFieldValue('color', currentTarget.value)}
        />
      </div>
    </>
  );
}

/** The address follows the title until the person chooses another one. */
function Title({ form }: Pick<PageFieldsProps, 'form'>) {
  const { title, slug } = form.values;
  return (
    <TextInput
      label={texts.form.title}
      description={texts.form.titleHelp}
      maxLength={TITLE_CHARS_MAX}
      {...form.getInputProps('title')}
      onChange={({ currentTarget }) => {
        const next = currentTarget.value;
        if (slug === slugOf(title)) form.setFieldValue('slug', slugOf(next));
        form.setFieldValue('title', next);
      }}
    />
  );
}

function Visibility({ form, hasPassword }: PageFieldsProps) {
  const words = texts.form;
  const { visibility } = form.values;
  return (
    <>
      <fieldset className="form-choices">
        <legend>{words.visibility}</legend>
        {VISIBILITIES.map((kind) => (
          <Check
            key={kind}
            {...{ type: 'radio', name: 'visibility', isOn: visibility === kind, label: texts.visibility[kind] }}
            help={words.visibilityHelp[kind]}
            change={() => form.setFieldValue('visibility', kind)}
          />
        ))}
      </fieldset>
      {visibility === 'password' ? (
        <PasswordInput
          label={words.password}
          description={hasPassword ? words.passwordKept : words.passwordHelp}
          maxLength={PASSWORD_CHARS_MAX}
          autoComplete="new-password"
          // Mantine marks only the element around the field.
          aria-invalid={form.errors['password'] !== undefined}
          {...form.getInputProps('password')}
        />
      ) : null}
    </>
  );
}
