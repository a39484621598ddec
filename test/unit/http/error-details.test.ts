import t from 'tap';
import { invalidField, invalidFields } from '../../../control-plane/errors.js';

t.test('the detail of an error about the whole body says so', (t) => {
  const both = [invalidField('', 'must not be empty'), invalidFields([{ path: '', message: 'must not be empty' }])];
  for (const { message } of both) t.equal(message, 'The body must not be empty.');
  t.equal(invalidField('/name', 'is missing').message, '/name is missing.');
  t.same(invalidField('', 'must not be empty', 'empty').extra.errors, [
    { path: '', message: 'must not be empty', code: 'empty' },
  ]);
  t.same(invalidField('/x', 'is odd').extra.errors, [{ path: '/x', message: 'is odd', code: 'invalid' }]);
  t.end();
});
