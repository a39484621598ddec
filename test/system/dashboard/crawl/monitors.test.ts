import t from 'tap';
import { crawl } from '../../../helpers/dashboard/crawl/crawl-group.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

t.test('no page of this group breaks in a hostile workspace', (t) => crawl(t, 'monitors'));
