import { CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { memo } from 'react';
import { texts as appTexts } from '../../../texts/app/texts.ts';
import type { MonitorType } from '../pasted/address.ts';
import { type Row, rowOf } from './rows.ts';
import { texts } from './texts.ts';

interface ManyRowProps {
  row: Row;
  problem: string | undefined;
  change(row: Row): void;
  remove(): void;
}

const NAME_CHARS_MAX = 200;
const ADDRESS_CHARS_MAX = 2_048;

/** One address of a list: what it is, and what is wrong with it. */
export const ManyRow = memo(function ManyRow({ row, problem, change, remove }: ManyRowProps) {
  const { address, name, type, suggestion } = row;
  const isAddress = typeof suggestion !== 'string';
  return (
    <li className="many-row" data-row={row.key}>
      <TextInput
        {...{
          'aria-label': texts.many.address,
          value: address,
          maxLength: ADDRESS_CHARS_MAX,
          className: 'many-address',
        }}
        {...{
          error: problem ?? (isAddress ? undefined : texts.many.inLine(row.line, appTexts.watch[suggestion])),
          spellCheck: false,
        }}
        onChange={({ currentTarget: { value } }) => change(rowOf(row, value))}
      />
      <NativeSelect
        {...{ 'aria-label': texts.many.type, value: type, disabled: !isAddress }}
        data={(isAddress ? suggestion.choices : []).map((choice) => ({
          value: choice.type,
          label: appTexts.watch.types[choice.type],
        }))}
        onChange={({ currentTarget: { value } }) => change({ ...row, type: value as MonitorType })}
      />
      <TextInput
        {...{ 'aria-label': texts.many.name, value: name, disabled: !isAddress, maxLength: NAME_CHARS_MAX }}
        onChange={({ currentTarget: { value } }) => change({ ...row, name: value })}
      />
      <CloseButton aria-label={texts.many.leaveOut(address)} size={36} onClick={remove} />
    </li>
  );
});
