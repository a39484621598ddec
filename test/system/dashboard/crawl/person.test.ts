import t from 'tap';
import { crawl } from '../../../helpers/dashboard/crawl/crawl-group.js';

t.test('no page of this group breaks in a hostile workspace', (t) => crawl(t, 'person'));
