import { Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Check } from '../../../components/form/check.tsx';
import { texts } from '../texts/texts.ts';
import type { ComponentInput, GroupInput, PageInput } from './input.ts';
import { canMove, type Direction, placeOf } from './order.ts';

const NAME_CHARS_MAX = 80;
const TEXT_CHARS_MAX = 200;
const DIRECTIONS = ['up', 'down'] as const;

interface ComponentFieldsProps {
  form: UseFormReturnType<PageInput>;
  groups: readonly GroupInput[];
  component: ComponentInput;
  /** Where the form has it, such as `groups.0.components.1`. */
  path: string;
  /** Its name in Picket; null if it is not known. */
  target: string | null;
  move(direction: Direction): void;
  remove(): void;
}

/** One component: what it shows, what visitors read of it, and its place. */
export function ComponentFields(props: ComponentFieldsProps) {
  const { form, groups, component, path, target, move, remove } = props;
  const words = texts.form;
  const { kind, name, key, show_each: showsEach } = component;
  const place = placeOf(groups, key) ?? { group: 0, index: 0 };
  const shown = kind === 'tag' ? component.target : (target ?? '…');
  const error = form.errors[path] ?? form.errors[`${path}.${kind}${kind === 'tag' ? '' : '_id'}`];
  return (
    <li className="status-component">
      <p className="row-detail wrap">
        {words.shows[kind]} <bdi>{shown}</bdi>
      </p>
      <div className="form-row">
        <TextInput label={words.publicName} maxLength={NAME_CHARS_MAX} {...form.getInputProps(`${path}.name`)} />
        <TextInput
          label={words.componentText}
          maxLength={TEXT_CHARS_MAX}
          {...form.getInputProps(`${path}.description`)}
        />
      </div>
      {kind === 'tag' ? (
        <Check
          {...{ name: `each-${key}`, isOn: showsEach, label: words.showEach, help: words.showEachHelp }}
          change={(isOn) => form.setFieldValue(`${path}.show_each`, isOn)}
        />
      ) : null}
      {error === undefined ? null : (
        <p className="note bad" role="alert">
          {error}
        </p>
      )}
      <div className="page-actions">
        {DIRECTIONS.map((direction) => (
          <Button
            key={direction}
            variant="default"
            size="xs"
            className="status-small"
            data-place={`${key} ${direction}`}
            aria-label={`${words.move[direction]}: ${name}`}
            disabled={!canMove(groups, place, direction)}
            onClick={() => move(direction)}
          >
            {words.move[direction]}
          </Button>
        ))}
        <Button
          variant="default"
          size="xs"
          className="status-small"
          aria-label={`${words.remove}: ${name}`}
          onClick={remove}
        >
          {words.remove}
        </Button>
      </div>
    </li>
  );
}
