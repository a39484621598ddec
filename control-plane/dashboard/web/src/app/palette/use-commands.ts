import { useNavigate } from '@tanstack/react-router';
import { apiUrl } from '../../api/client.ts';
import { texts as appTexts } from '../../texts/app/texts.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../../texts/language.ts';
import { type ColourScheme, chooseScheme } from '../../theme/colour-scheme.ts';
import { useAccount } from '../account.ts';
import { useLogOut } from '../frame/log-out.ts';
import { navEntries, settingsEntries } from '../places.ts';
import { texts } from './texts.ts';
import type { Found } from './use-found.ts';

const SCHEMES: readonly ColourScheme[] = ['light', 'dark', 'system'];

/** Returns the pages that the person can open. */
export function usePages(): Found[] {
  const account = useAccount();
  const navigate = useNavigate();
  const page = (to: string, label: string): Found => ({
    ...{ id: `page-${to}`, label, keywords: texts.words[to] ?? '', detail: '' },
    run: () => void navigate({ to }),
  });
  return [
    ...navEntries().map(({ to, label }) => page(to, label)),
    ...settingsEntries(account).map(({ to, label }) => page(to, texts.settingsPage(label))),
  ];
}

/** Returns what the person can do from every page. */
export function useCommands(showKeys: () => void): Found[] {
  const logOut = useLogOut();
  const navigate = useNavigate();
  const command = (id: string, label: string, run: () => void): Found => ({
    ...{ id: `command-${id}`, label, keywords: '', detail: '', run },
  });
  const languages = Object.entries(LANGUAGES).filter(([language]) => language !== currentLanguage());
  return [
    command('keys', texts.keys, showKeys),
    {
      ...command('glossary', appTexts.frame.glossary, () => void navigate({ to: '/glossary' })),
      keywords: texts.glossary,
    },
    {
      ...command('docs', appTexts.frame.apiReference, () => location.assign(apiUrl('/docs'))),
      keywords: texts.docs,
    },
    ...SCHEMES.map((scheme) =>
      command(`scheme-${scheme}`, texts.colours(appTexts.frame[scheme]), () => chooseScheme(scheme)),
    ),
    ...languages.map(([language, name]) =>
      command(`language-${language}`, texts.language(name), () => chooseLanguage(language as Language)),
    ),
    command('log-out', appTexts.frame.logOut, () => logOut.mutate()),
  ];
}
