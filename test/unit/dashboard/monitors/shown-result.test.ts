import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface Seen {
  status: string;
  checked_at: string | null;
}
const { shownResult } = await browserModule<{ shownResult(listed: Seen | undefined, state: Seen): Seen | undefined }>(
  'parts/monitors/monitor/locations/shown-result.ts',
);

const EARLIER = '2026-01-31T12:00:00.000Z';
const NOW = '2026-01-31T12:00:10.000Z';

t.test('a row of a location never mixes two checks', (t) => {
  const rows: [listed: Seen | undefined, state: Seen, isShown: boolean][] = [
    [undefined, { status: 'up', checked_at: NOW }, false],
    [{ status: 'up', checked_at: NOW }, { status: 'up', checked_at: NOW }, true],
    [{ status: 'down', checked_at: NOW }, { status: 'down', checked_at: NOW }, true],
    [{ status: 'up', checked_at: EARLIER }, { status: 'up', checked_at: NOW }, true],
    [{ status: 'up', checked_at: EARLIER }, { status: 'down', checked_at: NOW }, false],
    [{ status: 'down', checked_at: EARLIER }, { status: 'down', checked_at: NOW }, false],
    [{ status: 'down', checked_at: EARLIER }, { status: 'up', checked_at: NOW }, false],
  ];
  for (const [listed, state, isShown] of rows) {
    t.equal(shownResult(listed, state), isShown ? listed : undefined, JSON.stringify([listed, state]));
  }
  t.end();
});
