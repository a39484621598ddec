import t from 'tap';
import { crawlAs } from '../../../helpers/dashboard/crawl/crawl-as.js';

t.test('no page offers an admin what the role does not include', (t) => crawlAs(t, 'admin'));
