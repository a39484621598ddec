import t from 'tap';
import { containing } from '../../../control-plane/storage/containing.js';

t.test('a search takes every character of the part literally, in upper or lower case', (t) => {
  const part = 'a\\^$.*+?()[]{}|/-b';
  const { $regex, $options } = containing(part);
  const condition = new RegExp($regex, $options);
  t.ok(condition.test(`before ${part.toUpperCase()} after`));
  for (const character of part) t.notOk(condition.test(part.replace(character, 'x')), character);
  t.end();
});
