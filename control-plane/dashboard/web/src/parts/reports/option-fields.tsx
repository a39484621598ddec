import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { Check } from '../../components/form/check.tsx';
import { LogoField, type LogoFieldProps } from '../../components/logo-field/logo-field.tsx';
import type { ReportForm } from './order.ts';
import { SECTIONS } from './sections.ts';
import { texts } from './texts/texts.ts';

const PAPER_SIZES = ['A4', 'Letter'] as const;

interface OptionFieldsProps<Fields extends keyof ReportForm> {
  form: Pick<ReportForm, Fields>;
  change(fields: Partial<Pick<ReportForm, Fields>>): void;
  errors: Record<string, ReactNode>;
}

/** What a report contains and how it looks. */
export function OptionFields(
  props: OptionFieldsProps<'sections' | 'hidesEmpty' | 'tags' | 'paperSize' | 'color' | 'logo'>,
) {
  const { form, change, errors } = props;
  return (
    <>
      <SectionFields {...props} />
      <TextInput
        {...{ label: texts.tags, description: texts.tagsHelp, value: form.tags, error: errors['monitors.tags'] }}
        onChange={({ currentTarget }) => change({ tags: currentTarget.value })}
      />
      <LookFields {...props} />
    </>
  );
}

/** Which sections a report has. */
export function SectionFields({ form, change }: OptionFieldsProps<'sections' | 'hidesEmpty'>) {
  return (
    <>
      <fieldset className="form-choices">
        <legend>{texts.sectionsOf}</legend>
        {SECTIONS.map((name) => (
          <Check
            key={name}
            {...{ name, isOn: form.sections[name], label: texts.sections[name] }}
            change={(isOn) => change({ sections: { ...form.sections, [name]: isOn } })}
          />
        ))}
      </fieldset>
      <Check
        {...{ name: 'hides_empty', isOn: form.hidesEmpty, label: texts.hidesEmpty }}
        change={(hidesEmpty) => change({ hidesEmpty })}
      />
    </>
  );
}

interface LookFieldsProps extends OptionFieldsProps<'paperSize' | 'color' | 'logo'> {
  /** The logo that a schedule has. */
  stored?: LogoFieldProps['stored'];
}

/** How a report looks. */
export function LookFields({ form, change, errors, stored = null }: LookFieldsProps) {
  return (
    <>
      <div className="form-row">
        <NativeSelect
          {...{ label: texts.paperSize, value: form.paperSize, data: [...PAPER_SIZES], error: errors['paper_size'] }}
          onChange={({ currentTarget }) => change({ paperSize: currentTarget.value === 'Letter' ? 'Letter' : 'A4' })}
        />
        <TextInput
          {...{ type: 'color', label: texts.color, value: form.color, error: errors['branding.color'] }}
          className="report-color"
          onChange={({ currentTarget }) => change({ color: currentTarget.value })}
        />
      </div>
      <LogoField
        {...{ help: texts.logoHelp, error: errors['branding.logo'], logo: form.logo, stored }}
        choose={(logo) => change({ logo })}
      />
    </>
  );
}
