import t from 'tap';
import { createIncidentKinds } from '../../../control-plane/incidents/kind.js';
import { incidentDetailView } from '../../../control-plane/incidents/view.js';
import { incidentMessage } from '../../../control-plane/notifications/message.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { buildIncident } from '../../helpers/notifications/build.js';

t.test('an incident of a kind that no slice declares any more gets general texts', async (t) => {
  const incident = buildIncident('ws_a', {
    kind: 'retired',
    monitor_id: null,
    monitor_name: null,
    resource: { type: 'site', id: 'site_1', name: 'blog.example.com' },
  });
  t.match(incidentDetailView(KINDS, incident, []), { kind: 'retired', decision: null, recovery: null });
  const message = incidentMessage({
    ...{ id: 'x', event: 'opened', eventMs: incident.started_at_ms, incident, sent: [], monitor: null },
    incidentKind: KINDS.of(incident),
    publicUrl: 'http://picket.test',
    actionLink: 'http://picket.test/on-call?t=token',
    locationName: (code) => code,
    renderIncident: ({ _id }) => ({ id: _id }),
  });
  t.match(message, { title: 'FIRING: blog.example.com', runbookLabel: 'Runbook' });
});

t.test('the decision of another kind of incident is omitted', async (t) => {
  const { decision } = buildIncident('ws_a');
  t.ok(decision, 'a decision by votes');
  const incident = buildIncident('ws_a', { kind: 'server', decision });
  t.equal(incidentDetailView(KINDS, incident, []).decision, null);
});

t.test('two kinds of the same name are refused', async (t) => {
  const first = KINDS.of({ kind: 'monitor' });
  if (first === undefined) throw new Error('the product has no kinds');
  t.throws(() => createIncidentKinds([first, first]), /two slices declare the same kind of incident/);
});
