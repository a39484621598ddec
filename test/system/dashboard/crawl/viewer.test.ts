import t from 'tap';
import { crawlAs } from '../../../helpers/dashboard/crawl/crawl-as.js';

t.test('no page offers a viewer what the role does not include', (t) => crawlAs(t, 'viewer'));
