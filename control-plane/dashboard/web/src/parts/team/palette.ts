import type { Member } from '../../api/types.ts';
import { mayManage } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<Member>({
      ...{ title: texts.members, key: ['team'], isFor: () => true, isShownAtOnce: false, hasSearch: true },
      ...{ path: '/v1/team/members', query: {} },
      entry: ({ id, email, role }) => ({
        ...{ id, label: email, keywords: '', detail: texts.roles[role], to: '/settings/team' },
      }),
    }),
  ],
  actions: [{ label: texts.invite, to: '/settings/team', search: {}, isFor: mayManage }],
};
