import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

type Values = Record<string, string>;

const { configOf, fieldProblems, fieldsOf, firstValues, QUICK_TYPES } = await browserModule<{
  configOf(type: string, values: Values): Record<string, unknown>;
  fieldProblems(problem: { fields: Values }): Values;
  fieldsOf(type: string): string[];
  firstValues(type: string, email: string): Values;
  QUICK_TYPES: string[];
}>('parts/monitors/watch/quick-channel.ts');
const { CHANNEL_TYPES } = await browserModule<{ CHANNEL_TYPES: string[] }>('parts/channels/form/fields.ts');

t.test('the first minute offers every type of channel, with the fields that it needs', (t) => {
  t.same(QUICK_TYPES.toSorted(), CHANNEL_TYPES.toSorted());
  t.same(configOf('email', { to: ' ana@example.com ' }), { to: ['ana@example.com'] });
  t.same(configOf('slack', { url: 'https://a', topic: 'of another type' }), { url: 'https://a' });
  t.same(configOf('telegram', { chat_id: '@a' }), { bot_token: '', chat_id: '@a' }, 'the API names what is missing');
  t.same(configOf('ntfy', { ...firstValues('ntfy', 'a@b'), topic: 'x' }), { topic: 'x', url: 'https://ntfy.sh' });
  t.same(firstValues('email', 'ana@example.com'), { to: 'ana@example.com' });
  t.end();
});

t.test('what is wrong stands at its field', (t) => {
  const fields = { '/config/bot_token': 'Wrong.', '/config/to/0': 'No address.', '/name': 'Too long.' };
  t.same(fieldProblems({ fields }), { bot_token: 'Wrong.', to: 'No address.' });
  t.same(fieldsOf('telegram'), ['bot_token', 'chat_id']);
  t.end();
});
