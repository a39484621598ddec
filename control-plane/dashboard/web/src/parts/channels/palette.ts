import type { Channel } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<Channel>({
      ...{ title: texts.title, key: ['channels'], isFor: () => true, isShownAtOnce: false, hasSearch: false },
      ...{ path: '/v1/channels', query: {} },
      entry: ({ id, name, type }) => ({
        ...{ id, label: name, keywords: texts.types[type], detail: texts.types[type], to: `/settings/channels/${id}` },
      }),
    }),
  ],
  actions: [
    {
      label: inLanguage({ en: 'Add channel', de: 'Kanal hinzufügen' }),
      ...{ to: '/settings/channels/new', search: {}, isFor: mayWrite },
    },
  ],
};
