import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiUrl, call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { ClientReport, One } from '../../api/types.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { OptionFields } from './option-fields.tsx';
import { previewQuery, type ReportForm, reportOf } from './order.ts';
import { type Dates, PERIODS } from './period.ts';
import { reportsPath } from './queries.ts';
import { ALL_SECTIONS } from './sections.ts';
import { texts } from './texts/texts.ts';
import './reports.css';

const NAME_CHARS_MAX = 200;

const EMPTY: Omit<ReportForm, 'title' | 'timeZone'> = {
  client: '',
  period: 'days30',
  dates: { from: '', to: '' },
  sections: ALL_SECTIONS,
  hidesEmpty: false,
  tags: '',
  paperSize: 'A4',
  color: '#1f4e79',
  logo: null,
};

export function NewReportPage() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [form, setForm] = useState<ReportForm>(() => ({
    ...{ ...EMPTY, title: texts.defaultTitle, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  }));
  const change = (fields: Partial<ReportForm>) => setForm((before) => ({ ...before, ...fields }));
  const create = useMutation({
    mutationFn: () => call<One<ClientReport>>('POST', reportsPath, reportOf(form, new Date())),
    async onSuccess() {
      void queries.invalidateQueries({ queryKey: ['billing'] });
      await queries.invalidateQueries({ queryKey: ['reports'] });
      await navigate({ to: '/reports' });
    },
  });
  const errors = fieldErrors(create.error);
  return (
    <>
      <PageHead title={texts.create} sentence={texts.createSentence} />
      <FormPanel
        {...{ label: texts.create, submit: texts.create, action: create, cancel: '/reports' }}
        onSubmit={() => create.mutate()}
      >
        <TextInput
          {...{ label: texts.reportTitle, value: form.title, error: errors['title'], maxLength: NAME_CHARS_MAX }}
          onChange={({ currentTarget }) => change({ title: currentTarget.value })}
        />
        <TextInput
          {...{ label: texts.client, description: texts.clientHelp, value: form.client, error: errors['client_name'] }}
          maxLength={NAME_CHARS_MAX}
          onChange={({ currentTarget }) => change({ client: currentTarget.value })}
        />
        <NativeSelect
          {...{ label: texts.period, value: form.period, error: errors['period'] }}
          data={PERIODS.map((value) => ({ value, label: texts.periods[value] }))}
          onChange={({ currentTarget }) =>
            change({ period: PERIODS.find((one) => one === currentTarget.value) ?? 'days30' })
          }
        />
        {form.period === 'dates' ? (
          <DateFields dates={form.dates} change={(dates) => change({ dates })} errors={errors} />
        ) : null}
        <TextInput
          {...{
            label: texts.timeZone,
            description: texts.timeZoneHelp,
            value: form.timeZone,
            error: errors['time_zone'],
          }}
          onChange={({ currentTarget }) => change({ timeZone: currentTarget.value })}
        />
        <OptionFields {...{ form, change, errors }} />
        <p>
          <PreviewLink form={form} />
        </p>
      </FormPanel>
    </>
  );
}

/** The preview needs what a report needs. Until then, there is a sentence in its place. */
function PreviewLink({ form }: { form: ReportForm }) {
  if (form.title.trim() === '' || form.client.trim() === '') return texts.previewNeeds;
  const query = previewQuery(form, new Date());
  return (
    <a href={apiUrl(`${reportsPath}/preview?${query}`)} target="_blank" rel="noopener">
      {texts.previewNew}
    </a>
  );
}

interface DateFieldsProps {
  dates: Dates;
  change(dates: Dates): void;
  errors: Record<string, string>;
}

function DateFields({ dates, change, errors }: DateFieldsProps) {
  return (
    <div className="form-row">
      <TextInput
        {...{ type: 'date', label: texts.from, value: dates.from, error: errors['period.from'] }}
        onChange={({ currentTarget }) => change({ ...dates, from: currentTarget.value })}
      />
      <TextInput
        {...{ type: 'date', label: texts.to, value: dates.to, error: errors['period.to'] }}
        onChange={({ currentTarget }) => change({ ...dates, to: currentTarget.value })}
      />
    </div>
  );
}
