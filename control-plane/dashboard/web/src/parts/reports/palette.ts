import type { ReportSchedule } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { schedulesPath } from './schedules/queries.ts';
import { texts as scheduleTexts } from './schedules/texts/texts.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<ReportSchedule>({
      ...{ title: scheduleTexts.title, key: ['report-schedules'], isFor: () => true },
      ...{ isShownAtOnce: false, hasSearch: false, path: schedulesPath, query: {} },
      entry: ({ id, name, client_name: client }) => {
        return { id, label: name, keywords: client, detail: client, to: `/reports/schedules/${id}` };
      },
    }),
  ],
  actions: [
    { label: texts.create, to: '/reports/new', search: {}, isFor: () => true },
    { label: scheduleTexts.add, to: '/reports/schedules/new', search: {}, isFor: mayWrite },
  ],
};
