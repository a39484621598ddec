import type { Monitor } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from '../../texts/app/texts.ts';
import { inLanguage } from '../../texts/catalogue.ts';

const words = inLanguage({
  en: { add: 'Add monitor', addMany: 'Add many monitors from a list' },
  de: { add: 'Monitor hinzufügen', addMany: 'Viele Monitore aus einer Liste hinzufügen' },
});

export const palette: PalettePart = {
  kinds: [
    paletteKind<Monitor>({
      ...{ title: texts.frame.monitors, key: ['monitors'], isFor: () => true, isShownAtOnce: false, hasSearch: true },
      ...{ path: '/v1/monitors', query: {} },
      entry: ({ id, name, url }) => ({ id, label: name, keywords: url, detail: url, to: `/monitors/${id}` }),
    }),
  ],
  actions: [
    { label: words.add, to: '/monitors/new', search: {}, isFor: mayWrite },
    { label: words.addMany, to: '/monitors/new/lines', search: {}, isFor: mayWrite },
  ],
};
