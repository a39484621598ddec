import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Check } from '../../components/form/check.tsx';
import { Choices } from '../../components/form/choices.tsx';
import { Condition } from './condition.tsx';
import { hasTargets, RULE_TYPES, type RuleInput, type RuleType, SEVERITIES } from './input.ts';
import { useOptions } from './queries.ts';
import { ruleSentence } from './sentence.ts';
import { texts } from './texts/texts.ts';

const NAME_CHARS_MAX = 200;

/** What rules are about that are not about servers. */
const WATCHED: { readonly [Type in RuleType]?: 'blacklistMonitors' | 'backupJobs' } = {
  blacklist_listed: 'blacklistMonitors',
  backup_missed: 'backupJobs',
};

interface RuleFieldsProps {
  form: UseFormReturnType<RuleInput>;
  /** Whether the type can be chosen; a stored rule keeps its type. */
  isNew: boolean;
}

/** The fields of a rule, and the rule in words. */
export function RuleFields({ form, isNew }: RuleFieldsProps) {
  const options = useOptions();
  const { type, targets, notify } = form.values;
  const watched = WATCHED[type] ?? 'servers';
  const targetKinds = watched !== 'servers' ? (['all', 'chosen'] as const) : (['all', 'tags', 'chosen'] as const);
  const choose = (next: RuleType) =>
    form.setValues({
      type: next,
      severity: next === 'server_offline' || next === 'backup_missed' ? 'critical' : 'warning',
      targets: 'all',
      chosen: [],
    });
  const choices = {
    isLabelShown: false,
    className: 'rule-choices',
    deletedName: texts.deletedObject,
    empty: <p className="soft">{texts.nothingToChoose}</p>,
  };
  return (
    <>
      <TextInput label={texts.name} maxLength={NAME_CHARS_MAX} {...form.getInputProps('name')} />
      <NativeSelect
        label={texts.type}
        value={type}
        disabled={!isNew}
        onChange={({ currentTarget }) => choose(currentTarget.value as RuleType)}
        data={RULE_TYPES.map((value) => ({ value, label: texts.types[value] }))}
      />
      <p className="soft">{texts.typeHelp[type]}</p>
      <Condition form={form} />
      {!hasTargets(type) ? null : (
        <fieldset className="form-choices">
          <legend>{texts.which[watched]}</legend>
          {targetKinds.map((kind) => (
            <Check
              key={kind}
              {...{ type: 'radio', name: 'targets', isOn: targets === kind }}
              change={() => form.setFieldValue('targets', kind)}
              label={
                watched === 'servers'
                  ? texts.serverTargets[kind]
                  : texts.otherTargets[watched][kind === 'chosen' ? 'chosen' : 'all']
              }
            />
          ))}
        </fieldset>
      )}
      {targets === 'tags' && watched === 'servers' ? (
        <TextInput label={texts.tags} description={texts.tagsHelp} {...form.getInputProps('tags')} />
      ) : null}
      {targets === 'chosen' ? (
        <Choices
          {...choices}
          label={texts.which[watched]}
          options={options[watched]}
          chosen={form.values.chosen}
          change={(chosen) => form.setFieldValue('chosen', chosen)}
        />
      ) : null}
      <NativeSelect
        label={texts.severity}
        data={SEVERITIES.map((value) => ({ value, label: texts.severities[value] }))}
        {...form.getInputProps('severity')}
      />
      <fieldset className="form-choices">
        <legend>{texts.notify}</legend>
        {(['all', 'chosen', 'none'] as const).map((kind) => (
          <Check
            key={kind}
            {...{ type: 'radio', name: 'notify', isOn: notify === kind, label: texts.notifyKinds[kind] }}
            change={() => form.setFieldValue('notify', kind)}
          />
        ))}
      </fieldset>
      {notify === 'chosen' ? (
        <Choices
          {...choices}
          label={texts.notify}
          options={options.channels}
          chosen={form.values.channels}
          change={(channels) => form.setFieldValue('channels', channels)}
        />
      ) : null}
      <p className="note" aria-live="polite">
        {ruleSentence(form.values, options.names)}
      </p>
    </>
  );
}
