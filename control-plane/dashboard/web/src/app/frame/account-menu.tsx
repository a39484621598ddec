import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiUrl } from '../../api/client.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { texts } from '../../texts/app/texts.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../../texts/language.ts';
import { type ColourScheme, chooseScheme, chosenScheme } from '../../theme/colour-scheme.ts';
import { useAccount } from '../account.ts';
import { useLogOut } from './log-out.ts';
import { Workspaces } from './workspaces.tsx';

const SCHEMES: readonly ColourScheme[] = ['light', 'dark', 'system'];

/** Who is logged in, how the pages look, and the way out. */
export function AccountMenu() {
  const { email, workspace } = useAccount();
  const logOut = useLogOut();
  const version = document.documentElement.dataset['version'] ?? '';
  const label = (
    <>
      <span className="only-spoken">{texts.frame.account}</span>
      <bdi>{workspace.name}</bdi>
      <span className="avatar" aria-hidden="true">
        {email.charAt(0).toUpperCase()}
      </span>
    </>
  );
  return (
    <Disclosure className="account-button" label={label}>
      <p className="menu-email wrap">{email}</p>
      <Workspaces />
      <Colours />
      <Choice
        title={texts.frame.language}
        options={Object.entries(LANGUAGES).map(([value, name]) => ({ value, name, lang: value }))}
        chosen={currentLanguage()}
        choose={(language) => chooseLanguage(language as Language)}
      />
      <Link to="/glossary" className="menu-item">
        {texts.frame.glossary}
      </Link>
      <a className="menu-item" href={apiUrl('/docs')}>
        {texts.frame.apiReference}
      </a>
      <button type="button" className="menu-item" onClick={() => logOut.mutate()}>
        {texts.frame.logOut}
      </button>
      <p className="menu-title">{texts.frame.version(version)}</p>
    </Disclosure>
  );
}

function Colours() {
  const [chosen, setChosen] = useState(chosenScheme);
  return (
    <Choice
      title={texts.frame.colours}
      options={SCHEMES.map((value) => ({ value, name: texts.frame[value] }))}
      chosen={chosen}
      choose={(scheme) => {
        chooseScheme(scheme as ColourScheme);
        setChosen(scheme as ColourScheme);
      }}
    />
  );
}

interface ChoiceProps {
  title: string;
  options: readonly { value: string; name: string; lang?: string }[];
  chosen: string;
  choose(value: string): void;
}

function Choice({ title, options, chosen, choose }: ChoiceProps) {
  return (
    <fieldset className="menu-choice">
      <legend className="menu-title">{title}</legend>
      {options.map(({ value, name, lang }) => (
        <button
          key={value}
          {...{ type: 'button', className: 'menu-item', lang, 'aria-pressed': chosen === value }}
          onClick={() => choose(value)}
        >
          {name}
          {chosen === value ? <span aria-hidden="true">✓</span> : null}
        </button>
      ))}
    </fieldset>
  );
}
