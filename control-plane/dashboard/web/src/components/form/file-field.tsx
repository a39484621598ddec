import { type ChangeEvent, useId, useState } from 'react';
import { texts } from '../../texts/app/texts.ts';
import './file-field.css';

interface FileFieldProps {
  label: string;
  /** Endings of names, such as `.json,.yaml`. */
  accept: string;
  choose(event: ChangeEvent<HTMLInputElement>): void;
}

/** A button that chooses a file. Browsers write their own button and "no file chosen" in the language of the browser. */
export function FileField({ label, accept, choose }: FileFieldProps) {
  const [name, setName] = useState<string | null>(null);
  const id = useId();
  return (
    <div className="file-field">
      <span id={`${id}-label`} className="strong">
        {label}
      </span>
      <div className="file-choice">
        <span className="menu-button file-button">
          <span id={`${id}-button`}>{texts.file.choose}</span>
          {/* Over the whole button, so that a file can be dropped on it. */}
          <input
            {...{
              type: 'file',
              accept,
              'aria-labelledby': `${id}-label ${id}-button`,
              'aria-describedby': `${id}-name`,
            }}
            onChange={(event) => {
              setName(event.currentTarget.files?.[0]?.name ?? null);
              choose(event);
            }}
          />
        </span>
        <bdi id={`${id}-name`} className="soft wrap">
          {name ?? texts.file.none}
        </bdi>
      </div>
    </div>
  );
}
