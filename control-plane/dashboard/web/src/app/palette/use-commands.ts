import { useNavigate } from '@tanstack/react-router';
import { texts as appTexts } from '../../texts/app/texts.ts';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '../../texts/language.ts';
import { type ColourScheme, chooseScheme } from '../../theme/colour-scheme.ts';
import { useAccount, useMayWrite } from '../account.ts';
import { useLogOut } from '../log-out.ts';
import { navEntries, settingsEntries } from '../places.ts';
import { texts } from './texts.ts';
import type { Found } from './use-found.ts';

const SCHEMES: readonly ColourScheme[] = ['light', 'dark', 'system'];

/** Returns the pages that the person can open. */
export function usePages(): Found[] {
  const account = useAccount();
  const navigate = useNavigate();
  const page = (to: string, label: string): Found => ({
    ...{ id: `page-${to}`, label, keywords: '', detail: '', run: () => void navigate({ to }) },
  });
  return [
    ...navEntries().map(({ to, label }) => page(to, label)),
    ...settingsEntries(account).map(({ to, label }) => page(to, texts.settingsPage(label))),
  ];
}

/** Returns what the person can do from every page. */
export function useCommands(showKeys: () => void): Found[] {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const logOut = useLogOut();
  const command = (id: string, label: string, run: () => void): Found => ({
    ...{ id: `command-${id}`, label, keywords: '', detail: '', run },
  });
  const languages = Object.entries(LANGUAGES).filter(([language]) => language !== currentLanguage());
  return [
    ...(mayWrite ? [command('add', texts.addMonitor, () => void navigate({ to: '/monitors/new' }))] : []),
    command('keys', texts.keys, showKeys),
    ...SCHEMES.map((scheme) =>
      command(`scheme-${scheme}`, texts.colours(appTexts.frame[scheme]), () => chooseScheme(scheme)),
    ),
    ...languages.map(([language, name]) =>
      command(`language-${language}`, texts.language(name), () => {
        chooseLanguage(language as Language);
        location.reload();
      }),
    ),
    command('log-out', appTexts.frame.logOut, () => logOut.mutate()),
  ];
}
