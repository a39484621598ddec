import type { AlertRule } from '../../api/types.ts';
import { mayManage } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { ruleName } from '../../texts/default-names.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<AlertRule>({
      ...{ title: texts.title, key: ['alert-rules'], isFor: () => true, isShownAtOnce: false, hasSearch: false },
      ...{ path: '/v1/alert-rules', query: {} },
      entry: ({ id, name, type, enabled, severity }) => {
        const detail = enabled ? texts.severities[severity] : texts.off;
        return { id, label: ruleName({ type, name }), keywords: '', detail, to: `/settings/alert-rules/${id}` };
      },
    }),
  ],
  actions: [
    {
      label: inLanguage({ en: 'Add alert rule', de: 'Alarmregel hinzufügen' }),
      ...{ to: '/settings/alert-rules/new', search: {}, isFor: mayManage },
    },
  ],
};
