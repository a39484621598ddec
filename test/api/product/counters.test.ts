import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

t.test(
  'what operators alert on is 0 before the first event, because a series that begins with 1 shows no increase',
  async (t) => {
    const text = await (await fetch(`${controlPlane.url}/metrics`)).text();
    const zeros = [
      'picket_node_batches_held{kind="probe"}',
      'picket_node_batches_held{kind="agent"}',
      'picket_node_messages_refused_total{kind="probe",reason="message_refused"}',
      'picket_node_messages_refused_total{kind="agent",reason="record_too_large"}',
      'picket_node_messages_refused_total{kind="agent",reason="inventory_too_large"}',
      'picket_node_streams_refused_total',
      'picket_records_refused_total{collection="monitors"}',
      'picket_records_refused_total{collection="results"}',
      'picket_records_refused_total{collection="server_reports"}',
      'picket_records_refused_total{collection="servers"}',
      'picket_results_refused_total{reason="not_assigned"}',
      'picket_results_refused_total{reason="slot_ahead"}',
      'picket_server_hours_set_aside_total{reason="failed"}',
      'picket_server_hours_set_aside_total{reason="too_large"}',
      'picket_server_inventories_dropped_total',
      'picket_server_samples_refused_total{reason="report_over_budget"}',
    ];
    for (const series of zeros) t.ok(text.includes(`\n${series} 0\n`), series);
  },
);
