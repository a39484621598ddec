import type { Server } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from '../../texts/app/texts.ts';
import { inLanguage } from '../../texts/catalogue.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<Server>({
      ...{ title: texts.frame.servers, key: ['servers'], isFor: () => true, isShownAtOnce: false, hasSearch: true },
      ...{ path: '/v1/servers', query: {} },
      entry: ({ id, name, hostname, ip }) => ({
        ...{ id, label: name, keywords: `${hostname ?? ''} ${ip ?? ''}`, detail: hostname ?? '', to: `/servers/${id}` },
      }),
    }),
  ],
  actions: [
    {
      label: inLanguage({ en: 'Add server', de: 'Server hinzufügen' }),
      ...{ to: '/servers/new', search: {}, isFor: mayWrite },
    },
  ],
};
