import type { ApiKey } from '../../api/types.ts';
import { mayManage } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<ApiKey>({
      ...{ title: texts.title, key: ['api-keys'], isFor: mayManage, isShownAtOnce: false, hasSearch: false },
      ...{ path: '/v1/api-keys', query: {} },
      entry: ({ id, name }) => ({ id, label: name, keywords: '', detail: '', to: '/settings/api-keys' }),
    }),
  ],
  actions: [
    {
      label: inLanguage({ en: 'Create API key', de: 'API-Schlüssel erstellen' }),
      ...{ to: '/settings/api-keys/new', search: {}, isFor: mayManage },
    },
  ],
};
