import t from 'tap';
import { PLANS } from '../../../control-plane/plans/plans.js';
import { featureQuota } from '../../../control-plane/plans/quotas.js';

t.test('the sentence about what is over a limit names one thing in the singular', async (t) => {
  const detailOf = async (count: number) => {
    const quota = featureQuota({
      ...{ name: 'scoped_api_keys', label: 'API keys with scopes', labelOfOne: 'API key with scopes' },
      isIncluded: ({ scopedKeys }) => scopedKeys,
      things: { count: async () => count, newest: async () => [] },
      consequence: 'Existing ones go on working.',
    });
    return (await quota.over('ws_1', PLANS.Free))?.detail;
  };
  t.equal(await detailOf(1), '1 API key with scopes. Existing ones go on working.');
  t.equal(await detailOf(2), '2 API keys with scopes. Existing ones go on working.');
  t.equal(await detailOf(1_200), '1,200 API keys with scopes. Existing ones go on working.');
  t.equal(await detailOf(0), undefined);
});
