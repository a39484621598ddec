import type { StatusPage } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts as frame } from '../../texts/app/texts.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<StatusPage>({
      title: frame.frame.statusPages,
      key: ['status-pages'],
      isFor: () => true,
      isShownAtOnce: false,
      hasSearch: false,
      path: '/v1/status-pages',
      query: {},
      entry: ({ id, title, slug }) => {
        return { id, label: title, keywords: slug, detail: `/status/${slug}`, to: `/status-pages/${id}` };
      },
    }),
  ],
  actions: [{ label: texts.create, to: '/status-pages/new', search: {}, isFor: mayWrite }],
};
