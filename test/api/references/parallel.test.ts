import t from 'tap';
import { startWorkspace } from '../../helpers/references/workspace.js';

const { api, mongo, created, channel, monitor, rule } = await startWorkspace(t);

const ROUNDS = 8;

/** Answers of a request that came before the deletion, after it, or in the way of it too often. */
const ALLOWED = [200, 201, 409, 412, 422, 503];

t.test('a channel that is named while it is deleted leaves no dead reference', async (t) => {
  const [kept] = [await channel('Kept')];
  const target = await monitor('Changed', [kept.id]);
  const ruled = await rule('Changed', { channels: [kept.id] });
  const settings = { type: 'tcp', url: '127.0.0.1:9', locations: ['fra'] };
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const one = await channel(`Round ${round}`);
    const channels = [kept.id, one.id];
    const monitors = [{ name: `Imported ${round}`, ...settings, channels }];
    const requests = [
      api('POST', '/v1/monitors', { name: `New ${round}`, ...settings, channels }),
      api('PATCH', `/v1/monitors/${target.id}`, { channels }),
      api('PATCH', `/v1/alert-rules/${ruled.id}`, { channels }),
      api('POST', '/v1/monitors/import', { version: 1, monitors }),
      api('POST', '/v1/monitors/bulk', { operation: 'set', ids: [target.id], set: { channels } }),
      api('DELETE', `/v1/channels/${one.id}?detach=true`),
      api('DELETE', `/v1/channels/${one.id}`),
    ];
    const answers = await Promise.all(requests);
    for (const { status, body } of answers.slice(0, 5)) t.ok([...ALLOWED, 202].includes(status), body.detail);
    outcomes.add(answers.map(({ status }) => status).join());
    const last = await api('DELETE', `/v1/channels/${one.id}?detach=true`);
    t.ok([200, 204, 404].includes(last.status), `${last.status} ${last.body.detail}`);
    const dead = { channels: one.id };
    t.equal(await mongo.db.collection('monitors').countDocuments(dead), 0, 'no monitor names it');
    t.equal(await mongo.db.collection('alert_rules').countDocuments(dead), 0, 'no alert rule names it');
  }
  t.comment([...outcomes].join(' '));
});

t.test('the same for a blacklist monitor that an alert rule names', async (t) => {
  for (let round = 0; round < ROUNDS; round++) {
    const one = await created('/api/v1/blacklist/monitors', { target: `192.0.3.${round + 1}`, frequency: 'daily' });
    const body = { type: 'blacklist_listed', blacklist_monitor_ids: [one.id] };
    await Promise.all([
      api('POST', '/v1/alert-rules', { name: `One ${round}`, ...body }),
      api('DELETE', `/api/v1/blacklist/monitors/${one.id}?detach=true`),
      api('POST', '/v1/alert-rules', { name: `Two ${round}`, ...body }),
    ]);
    await api('DELETE', `/api/v1/blacklist/monitors/${one.id}?detach=true`);
    t.equal(await mongo.db.collection('alert_rules').countDocuments({ blacklist_monitor_ids: one.id }), 0);
  }
});
