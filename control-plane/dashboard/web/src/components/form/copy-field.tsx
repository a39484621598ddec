import { Button } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../../texts/app/texts.ts';
import './copy-field.css';

/** A value that people take along, such as a key or a command, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    // Browsers permit the clipboard only on https and on localhost.
    await navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <div className="copy-field">
      <input
        className="copy-value mono"
        aria-label={label}
        readOnly
        value={value}
        onFocus={(event) => event.target.select()}
      />
      {navigator.clipboard === undefined ? null : (
        <Button variant="default" onClick={() => void copy()}>
          {isCopied ? texts.copy.copied : texts.copy.copy}
        </Button>
      )}
      <span className="only-spoken" role="status">
        {isCopied ? texts.copy.copied : ''}
      </span>
    </div>
  );
}
