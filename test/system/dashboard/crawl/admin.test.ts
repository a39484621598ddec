import t from 'tap';
import { crawlAs } from '../../../helpers/dashboard/crawl/crawl-as.js';

// Browsers are slow on a busy machine.
t.setTimeout(500_000);

t.test('no page offers an admin what the role does not include', (t) => crawlAs(t, 'admin'));
