import type { MaintenanceWindow } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<MaintenanceWindow>({
      ...{ title: texts.title, key: ['maintenance-windows'], isFor: () => true },
      ...{ isShownAtOnce: false, hasSearch: false, path: '/v1/maintenance-windows', query: {} },
      entry: ({ id, name, state }) => {
        return { id, label: name, keywords: '', detail: texts.states[state], to: `/maintenance/${id}` };
      },
    }),
  ],
  actions: [
    {
      label: inLanguage({ en: 'Plan maintenance', de: 'Wartung planen' }),
      ...{ to: '/maintenance/new', search: {}, isFor: mayWrite },
    },
  ],
};
