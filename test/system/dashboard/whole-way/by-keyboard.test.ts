import t from 'tap';
import { keyboard } from '../../../helpers/dashboard/whole-way/hands.js';
import { wholeWay } from '../../../helpers/dashboard/whole-way/whole-way.js';

t.test('from the sign-up to an acknowledged and resolved incident by keyboard alone', (t) =>
  wholeWay(t, { hands: keyboard, inputsMax: 44 }),
);
