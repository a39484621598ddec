import type { EmailDomain } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<EmailDomain>({
      ...{ title: texts.title, key: ['email-domains'], isFor: () => true },
      ...{ isShownAtOnce: false, hasSearch: true, path: '/api/v1/email-domains', query: {} },
      entry: ({ id, name, status }) => {
        return { id, label: name, keywords: '', detail: texts.status[status], to: `/email-domains/${id}` };
      },
    }),
  ],
  actions: [{ label: texts.add, ...{ to: '/email-domains/new', search: {}, isFor: mayWrite } }],
};
