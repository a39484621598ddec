import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { targetsQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { GroupFields } from './group-fields.tsx';
import type { ComponentInput, GroupInput, PageInput } from './input.ts';
import { componentFor, optionsOf } from './options.ts';
import { type Direction, inserted, moved, newGroupKey, placeOf, removed } from './order.ts';

const NAME_CHARS_MAX = 80;
const GROUPS_MAX = 20;

/** The components of a page in their groups, in the order in which visitors see them. */
export function GroupsField({ form }: { form: UseFormReturnType<PageInput> }) {
  const words = texts.form;
  const { groups } = form.values;
  const targets = useQuery(targetsQuery);
  const { area, focusAfter } = useFocusAfterChange(groups);
  const [said, setSaid] = useState('');
  const change = (next: readonly GroupInput[]) => {
    // The API names a component by its place, and another one is there now.
    form.setErrors(Object.fromEntries(Object.entries(form.errors).filter(([path]) => !path.startsWith('groups'))));
    form.setFieldValue('groups', next);
  };
  const move = ({ key, name }: ComponentInput, direction: Direction) => {
    const next = moved(groups, key, direction);
    change(next);
    focusAfter(`${key} ${direction}`, `${key} ${direction === 'up' ? 'down' : 'up'}`);
    setSaid(words.movedTo(name, ...positionOf(next, key)));
  };
  return (
    <fieldset className="form-choices status-components" ref={area}>
      <legend>{words.components}</legend>
      <p className="soft">{words.componentsHelp}</p>
      {targets.data === undefined ? <LoadProblem error={targets.error} /> : null}
      {groups.map((group, place) => (
        <GroupFields
          key={group.key}
          {...{ form, group, place, move }}
          options={targets.data === undefined ? null : optionsOf(targets.data)}
          add={(option) => {
            const index = group.components.length;
            change(inserted(groups, { group: place, index }, componentFor(option, NAME_CHARS_MAX)));
            setSaid(words.added(option.name));
          }}
          remove={({ key, name }) => {
            change(removed(groups, key));
            focusAfter(`add ${group.key}`);
            setSaid(words.removed(name));
          }}
          removeGroup={() => {
            change(groups.filter(({ key }) => key !== group.key));
            focusAfter('add-group');
          }}
        />
      ))}
      {form.errors['groups'] === undefined ? null : (
        <p className="note bad" role="alert">
          {form.errors['groups']}
        </p>
      )}
      {groups.length >= GROUPS_MAX ? null : (
        <Button
          {...{ variant: 'default', size: 'xs', className: 'status-small', 'data-place': 'add-group' }}
          onClick={() => change([...groups, { key: newGroupKey(groups), name: '', components: [] }])}
        >
          {words.addGroup}
        </Button>
      )}
      <p className="only-spoken" role="status">
        {said}
      </p>
    </fieldset>
  );
}

/** Returns the position of a component on the whole page, from 1, and of how many. */
function positionOf(groups: readonly GroupInput[], key: string): [position: number, count: number] {
  const sizes = groups.map(({ components }) => components.length);
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
  const place = placeOf(groups, key) ?? { group: 0, index: 0 };
  return [sumOf(sizes.slice(0, place.group)) + place.index + 1, sumOf(sizes)];
}

/** Gives the focus to the first button of these that can take it once the groups are drawn: the pressed one may have moved. */
function useFocusAfterChange(groups: readonly GroupInput[]) {
  const area = useRef<HTMLFieldSetElement>(null);
  const wanted = useRef<readonly string[]>([]);
  // It runs once the changed groups are drawn.
  useEffect(() => {
    const places = [...(area.current?.querySelectorAll<HTMLElement>('[data-place]:enabled') ?? [])];
    const next = wanted.current.flatMap((name) => places.find(({ dataset }) => dataset['place'] === name) ?? []);
    wanted.current = [];
    next[0]?.focus();
  }, [groups]);
  const focusAfter = (...names: string[]) => {
    wanted.current = names;
  };
  return { area, focusAfter };
}
