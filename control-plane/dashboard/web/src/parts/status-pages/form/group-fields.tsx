import { Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { texts } from '../texts/texts.ts';
import { AddComponent } from './add-component.tsx';
import { ComponentFields } from './component-fields.tsx';
import type { ComponentInput, GroupInput, PageInput } from './input.ts';
import { type Option, unusedOptions } from './options.ts';
import type { Direction } from './order.ts';

const NAME_CHARS_MAX = 80;
/** Of all groups together. */
const COMPONENTS_MAX = 50;

interface GroupFieldsProps {
  form: UseFormReturnType<PageInput>;
  group: GroupInput;
  /** Its place among the groups, from 0. */
  place: number;
  /** Everything that a page can show; null until it is loaded. */
  options: readonly Option[] | null;
  move(component: ComponentInput, direction: Direction): void;
  remove(component: ComponentInput): void;
  add(option: Option): void;
  removeGroup(): void;
}

/** One group: its heading, its components, and what can be added to it. */
export function GroupFields({ form, group, place, options, move, remove, add, removeGroup }: GroupFieldsProps) {
  const words = texts.form;
  const { groups } = form.values;
  const isOnly = groups.length === 1;
  const label = group.name || words.groupNumber(place + 1);
  const count = groups.reduce((sum, { components }) => sum + components.length, 0);
  const nameOf = ({ kind, target }: ComponentInput) =>
    options?.find(({ value }) => value === `${kind}:${target}`)?.name ?? null;
  return (
    <section className="status-group" aria-label={label}>
      {isOnly && group.name === '' ? null : (
        <TextInput
          {...{ label: words.groupName, description: words.groupNameHelp, maxLength: NAME_CHARS_MAX }}
          {...form.getInputProps(`groups.${place}.name`)}
        />
      )}
      {group.components.length === 0 ? null : (
        <ol className="rows">
          {group.components.map((component, index) => (
            <ComponentFields
              key={component.key}
              {...{ form, groups, component, path: `groups.${place}.components.${index}` }}
              target={nameOf(component)}
              move={(direction) => move(component, direction)}
              remove={() => remove(component)}
            />
          ))}
        </ol>
      )}
      <AddComponent
        {...{ id: group.key, label: isOnly ? words.add : words.addTo(label), add }}
        options={unusedOptions(options ?? [], groups)}
        isFull={count >= COMPONENTS_MAX}
        isEmpty={options?.length === 0}
      />
      {isOnly || group.components.length > 0 ? null : (
        <Button variant="default" size="xs" className="status-small" onClick={removeGroup}>
          {words.removeGroup}
        </Button>
      )}
    </section>
  );
}
