import t from 'tap';
import { mouse } from '../../../helpers/dashboard/whole-way/hands.js';
import { wholeWay } from '../../../helpers/dashboard/whole-way/whole-way.js';

t.test('from the sign-up to an acknowledged and resolved incident by mouse', (t) =>
  wholeWay(t, { hands: mouse, inputsMax: 26 }),
);
