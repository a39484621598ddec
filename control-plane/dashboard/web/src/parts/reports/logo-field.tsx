import { type ChangeEvent, useState } from 'react';
import { FileField } from '../../components/form/file-field.tsx';
import { texts } from './texts/texts.ts';

const LOGO_BYTES_MAX = 262_144;

interface LogoFieldProps {
  /** What the API says of the logo. */
  error: string | undefined;
  /** The picture as `data:` URL; null without one. */
  choose(logo: string | null): void;
}

/** Chooses a picture for the cover. */
export function LogoField({ error, choose }: LogoFieldProps) {
  const [isTooLarge, setTooLarge] = useState(false);
  const read = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    const isLarge = file !== undefined && file.size > LOGO_BYTES_MAX;
    setTooLarge(isLarge);
    choose(file === undefined || isLarge ? null : await dataUrlOf(file));
  };
  const problem = isTooLarge ? texts.logoTooLarge : error;
  return (
    <div>
      <FileField label={texts.logo} accept="image/png,image/jpeg" choose={(event) => void read(event)} />
      {problem === undefined ? (
        <p className="row-detail">{texts.logoHelp}</p>
      ) : (
        <p className="note bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Resolves to null for a file that cannot be read. */
function dataUrlOf(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : null);
    reader.onerror = () => resolve(null);
    reader.readAsDataURL(file);
  });
}
