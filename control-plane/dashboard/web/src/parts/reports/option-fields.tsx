import { NativeSelect, TextInput } from '@mantine/core';
import { Check } from '../../components/form/check.tsx';
import { LogoField } from './logo-field.tsx';
import type { ReportForm } from './order.ts';
import { SECTIONS } from './sections.ts';
import { texts } from './texts/texts.ts';

const PAPER_SIZES = ['A4', 'Letter'] as const;

interface OptionFieldsProps {
  form: ReportForm;
  change(fields: Partial<ReportForm>): void;
  errors: Record<string, string>;
}

/** What a report contains and how it looks. */
export function OptionFields({ form, change, errors }: OptionFieldsProps) {
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
      <TextInput
        {...{ label: texts.tags, description: texts.tagsHelp, value: form.tags, error: errors['monitors.tags'] }}
        onChange={({ currentTarget }) => change({ tags: currentTarget.value })}
      />
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
      <LogoField error={errors['branding.logo']} choose={(logo) => change({ logo })} />
    </>
  );
}
