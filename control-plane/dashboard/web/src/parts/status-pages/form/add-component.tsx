import { Button, NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { texts } from '../texts/texts.ts';
import type { Option } from './options.ts';

const KINDS = ['monitor', 'server', 'tag'] as const;

interface AddComponentProps {
  /** Of the group. */
  id: string;
  label: string;
  /** What the page does not show yet. */
  options: readonly Option[];
  /** Whether the page has as many components as it can have. */
  isFull: boolean;
  /** Whether the workspace has nothing to show. */
  isEmpty: boolean;
  add(option: Option): void;
}

/** Chooses a monitor, a server or a tag, and adds it. The next one is chosen then, so that a list is added quickly. */
export function AddComponent({ id, label, options, isFull, isEmpty, add }: AddComponentProps) {
  const words = texts.form;
  const [chosen, setChosen] = useState('');
  const place = options.findIndex(({ value }) => value === chosen);
  const option = options[Math.max(0, place)];
  if (isEmpty) {
    return (
      <p className="soft">
        {words.nothingToAdd} <Link to="/monitors/new">{words.createMonitor}</Link>
      </p>
    );
  }
  if (isFull) return <p className="soft">{words.full}</p>;
  if (option === undefined) return null;
  const groups = KINDS.map((kind) => ({
    group: words.kinds[kind],
    items: options.filter((one) => one.kind === kind).map(({ value, name }) => ({ value, label: name })),
  }));
  return (
    <div className="status-add">
      <NativeSelect
        {...{ label, value: option.value, data: groups.filter(({ items }) => items.length > 0) }}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <Button
        variant="default"
        data-place={`add ${id}`}
        onClick={() => {
          setChosen(options[Math.max(0, place) + 1]?.value ?? '');
          add(option);
        }}
      >
        {words.addButton}
      </Button>
    </div>
  );
}
