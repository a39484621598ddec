import { NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { ClientReport, One } from '../../api/types.ts';
import { Check } from '../../components/form/check.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { type Dates, PERIODS, type Period, periodOf } from './period.ts';
import { reportsPath } from './queries.ts';
import { SECTIONS, type Sections, WITH_DATA } from './sections.ts';
import { texts } from './texts/texts.ts';
import './reports.css';

const NAME_CHARS_MAX = 200;

export function NewReportPage() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [title, setTitle] = useState(texts.defaultTitle);
  const [client, setClient] = useState('');
  const [period, setPeriod] = useState<Period>('days30');
  const [dates, setDates] = useState<Dates>({ from: '', to: '' });
  const [sections, setSections] = useState<Sections>(WITH_DATA);
  const [color, setColor] = useState('#1f4e79');
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const create = useMutation({
    mutationFn: () =>
      call<One<ClientReport>>('POST', reportsPath, {
        ...{ title: title.trim(), client_name: client.trim(), time_zone: timeZone, sections, branding: { color } },
        period: periodOf(period, dates, new Date()),
      }),
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
          {...{ label: texts.reportTitle, value: title, error: errors['title'], maxLength: NAME_CHARS_MAX }}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
        <TextInput
          {...{ label: texts.client, description: texts.clientHelp, value: client, error: errors['client_name'] }}
          maxLength={NAME_CHARS_MAX}
          onChange={({ currentTarget }) => setClient(currentTarget.value)}
        />
        <NativeSelect
          {...{ label: texts.period, description: texts.zone(timeZone), value: period, error: errors['period'] }}
          data={PERIODS.map((value) => ({ value, label: texts.periods[value] }))}
          onChange={({ currentTarget }) => setPeriod(PERIODS.find((one) => one === currentTarget.value) ?? 'days30')}
        />
        {period === 'dates' ? <DateFields dates={dates} change={setDates} errors={errors} /> : null}
        <fieldset className="form-choices">
          <legend>{texts.sectionsOf}</legend>
          {SECTIONS.map((name) => (
            <Check
              key={name}
              {...{ name, isOn: sections[name], label: texts.sections[name] }}
              change={(isOn) => setSections({ ...sections, [name]: isOn })}
            />
          ))}
        </fieldset>
        <TextInput
          {...{ type: 'color', label: texts.color, value: color, error: errors['branding.color'] }}
          className="report-color"
          onChange={({ currentTarget }) => setColor(currentTarget.value)}
        />
      </FormPanel>
    </>
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
