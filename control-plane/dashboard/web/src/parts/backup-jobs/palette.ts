import type { BackupJob } from '../../api/types.ts';
import { mayWrite } from '../../app/account.ts';
import { type PalettePart, paletteKind } from '../../app/palette/kind.ts';
import { texts } from './texts/texts.ts';

export const palette: PalettePart = {
  kinds: [
    paletteKind<BackupJob>({
      ...{ title: texts.title, key: ['backup-jobs'], isFor: () => true },
      ...{ isShownAtOnce: false, hasSearch: true, path: '/v1/backup-jobs', query: {} },
      entry: ({ id, name, status }) => {
        return { id, label: name, keywords: '', detail: texts.status[status], to: `/backup-jobs/${id}` };
      },
    }),
  ],
  actions: [{ label: texts.add, ...{ to: '/backup-jobs/new', search: {}, isFor: mayWrite } }],
};
