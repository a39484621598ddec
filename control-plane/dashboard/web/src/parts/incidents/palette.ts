import type { IncidentFilter } from '../../api/queries.ts';
import type { Incident } from '../../api/types.ts';
import { type PaletteKind, type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { inLanguage } from '../../texts/catalogue.ts';
import { plainText } from '../../texts/said.ts';
import { causeSentence } from './cause-sentence.ts';

type Status = NonNullable<IncidentFilter['status']>;

const titles: Record<Status, string> = inLanguage({
  en: { firing: 'Open incidents', silenced: 'Silenced incidents', resolved: 'Resolved incidents' },
  de: { firing: 'Offene Vorfälle', silenced: 'Stumme Vorfälle', resolved: 'Behobene Vorfälle' },
});

const ofStatus = (status: Status): PaletteKind =>
  paletteKind<Incident>({
    ...{ title: titles[status], key: ['incidents', status], isFor: () => true, hasSearch: true },
    isShownAtOnce: status === 'firing',
    ...{ path: '/v1/alerts', query: { status } },
    entry: ({ id, monitor_name, resource, message, facts }) => {
      const cause = plainText(causeSentence({ facts, message }), Date.now());
      return {
        ...{ id, label: monitor_name ?? resource.name, to: `/incidents/${id}` },
        ...{ keywords: `${message} ${cause}`, detail: cause },
      };
    },
  });

export const palette: PalettePart = {
  kinds: [ofStatus('firing'), ofStatus('silenced'), ofStatus('resolved')],
  actions: [],
};
