import type { Account, Forwarder } from '../../api/types.ts';
import { mayManage } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from './texts/texts.ts';

const hasForwarders = ({ features }: Account) => features.audit_export;

export const palette: PalettePart = {
  kinds: [
    paletteKind<Forwarder>({
      ...{ title: texts.forwarders.title, key: ['forwarders'], isFor: hasForwarders, isShownAtOnce: false },
      ...{ hasSearch: false, path: '/v1/audit-logs/forwarders', query: {} },
      entry: ({ id, name, target, state }) => ({
        ...{ id, label: name, keywords: target, detail: texts.forwarders.states[state], to: '/settings/forwarders' },
      }),
    }),
  ],
  actions: [
    {
      ...{ label: texts.forwarders.add, to: '/settings/forwarders', search: { add: true } },
      isFor: (account) => hasForwarders(account) && mayManage(account),
    },
  ],
};
