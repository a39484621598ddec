import type { BlacklistMonitor } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from '../../texts/app/texts.ts';
import { inLanguage } from '../../texts/catalogue.ts';

const words = inLanguage({
  en: { watch: 'Watch an address on blacklists', check: 'Check an address on blacklists' },
  de: { watch: 'Adresse auf Sperrlisten überwachen', check: 'Adresse auf Sperrlisten prüfen' },
});

export const palette: PalettePart = {
  kinds: [
    paletteKind<BlacklistMonitor>({
      ...{ title: texts.frame.blacklists, key: ['blacklist-monitors'], isFor: () => true, isShownAtOnce: false },
      ...{ hasSearch: true, path: '/api/v1/blacklist/monitors', query: {} },
      entry: ({ id, target }) => ({ id, label: target, keywords: '', detail: '', to: `/blacklists/${id}` }),
    }),
  ],
  actions: [
    { label: words.watch, to: '/blacklists/new', search: {}, isFor: mayWrite },
    { label: words.check, to: '/blacklists/check', search: {}, isFor: mayWrite },
  ],
};
