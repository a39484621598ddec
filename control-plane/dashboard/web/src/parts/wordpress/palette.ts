import type { Site } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from '../../texts/app/texts.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<Site>({
      ...{ title: texts.frame.wordpress, key: ['sites'], isFor: () => true, isShownAtOnce: false, hasSearch: false },
      ...{ path: '/api/v1/wp/admin/sites', query: {} },
      entry: ({ id, name, url }) => ({ id, label: name, keywords: url, detail: url, to: `/wordpress/${id}` }),
    }),
  ],
  actions: [
    {
      label: inLanguage({ en: 'Add WordPress site', de: 'WordPress-Website hinzufügen' }),
      ...{ to: '/wordpress/new', search: {}, isFor: mayWrite },
    },
  ],
};
