import { type ChangeEvent, type ReactNode, useState } from 'react';
import { Check } from '../form/check.tsx';
import { FileField } from '../form/file-field.tsx';
import { texts } from './texts/texts.ts';
import './logo-field.css';

const LOGO_BYTES_MAX = 262_144;

/** A logo that is stored already. */
interface StoredLogo {
  /** Where its picture is; null if the API does not show it. */
  url: string | null;
  isRemoved: boolean;
  remove(isRemoved: boolean): void;
}

export interface LogoFieldProps {
  /** What it is for. */
  help: string;
  /** What the API says of the logo. */
  error: ReactNode;
  /** The chosen picture as `data:` URL; null without one. */
  logo: string | null;
  choose(logo: string | null): void;
  /** null without one. */
  stored: StoredLogo | null;
}

/** Chooses a picture, and shows it. */
export function LogoField({ help, error, logo, choose, stored }: LogoFieldProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const read = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0];
    const isTooLarge = file !== undefined && file.size > LOGO_BYTES_MAX;
    const url = file === undefined || isTooLarge ? null : await dataUrlOf(file);
    setProblem(isTooLarge ? texts.tooLarge : file !== undefined && url === null ? texts.unreadable : null);
    choose(url);
  };
  const said = problem ?? error ?? null;
  return (
    <div className="logo-field">
      <FileField label={texts.label} accept="image/png,image/jpeg" choose={(event) => void read(event)} />
      {said === null ? (
        <p className="row-detail">
          {help} {texts.help}
        </p>
      ) : (
        <p className="note bad" role="alert">
          {said}
        </p>
      )}
      {logo === null ? null : <img className="logo-preview" src={logo} alt={texts.chosen} />}
      {logo === null && stored !== null ? <Stored logo={stored} /> : null}
    </div>
  );
}

function Stored({ logo: { url, isRemoved, remove } }: { logo: StoredLogo }) {
  return (
    <>
      {url === null || isRemoved ? null : <img className="logo-preview" src={url} alt={texts.present} />}
      <Check name="removes_logo" isOn={isRemoved} label={texts.remove} change={remove} />
    </>
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
