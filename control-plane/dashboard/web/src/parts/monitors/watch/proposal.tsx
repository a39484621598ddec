import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import { billingQuery } from '../../../api/queries.ts';
import type { CreateMonitor, Monitor } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { INTERVAL_S_DEFAULT, intervalsFrom } from '../intervals.ts';
import type { MonitorType, Suggestion } from '../pasted/address.ts';

interface ProposalProps {
  suggestion: Suggestion;
  create: UseMutationResult<Monitor, Error, CreateMonitor>;
  back(): void;
}

/** What Picket makes of the address. Everything can be changed before the monitor is created. */
export function Proposal({ suggestion, create, back }: ProposalProps) {
  const [name, setName] = useState(suggestion.name);
  const [type, setType] = useState<MonitorType>(suggestion.choices[0]?.type ?? 'http');
  const [interval, setInterval] = useState(INTERVAL_S_DEFAULT);
  const shortest = useQuery(billingQuery).data?.intervals.interval_seconds_min ?? INTERVAL_S_DEFAULT;
  const url = suggestion.choices.find((choice) => choice.type === type)?.url ?? '';
  const fields = create.error instanceof ApiProblem ? create.error.fields : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ name: name.trim(), type, url, interval_seconds: interval });
  };
  return (
    <form className="panel watch" onSubmit={submit} noValidate>
      <div>
        <p className="watch-label" id="watch-type">
          {texts.watch.type}
        </p>
        <SegmentedControl
          {...{ value: type, onChange: (value: string) => setType(value as MonitorType), transitionDuration: 0 }}
          data={suggestion.choices.map((choice) => ({ value: choice.type, label: texts.watch.types[choice.type] }))}
          aria-labelledby="watch-type"
        />
        <p className="soft wrap">
          {texts.watch.typeHelp[type]} {url.startsWith('https:') ? `${texts.watch.certificateToo} ` : ''}
          <span className="mono">{url}</span>
        </p>
        {fields['/url'] === undefined ? null : (
          <p className="tone-down" role="alert">
            {fields['/url']}
          </p>
        )}
      </div>
      <TextInput
        {...{
          name: 'name',
          label: texts.watch.name,
          value: name,
          error: fields['/name'],
          maxLength: 200,
          autoFocus: true,
        }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <NativeSelect
        {...{
          name: 'interval',
          label: texts.watch.interval,
          value: String(interval),
          error: fields['/interval_seconds'],
        }}
        data={intervalsFrom(shortest)}
        onChange={({ currentTarget }) => setInterval(Number(currentTarget.value))}
      />
      {Object.keys(fields).length === 0 ? <ActionProblem error={create.error} /> : null}
      <div className="page-actions">
        <Button type="submit" loading={create.isPending}>
          {texts.watch.create}
        </Button>
        <Button variant="default" onClick={back}>
          {texts.watch.change}
        </Button>
      </div>
    </form>
  );
}
