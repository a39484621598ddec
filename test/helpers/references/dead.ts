import type { Db, Document } from 'mongodb';

/** Where ids of other things are stored: collection, field and the collection of the things; `only` are those that count. */
const REFERENCES: readonly { in: string; field: string; to: string; only?: Document }[] = [
  { in: 'monitors', field: 'channels', to: 'channels' },
  { in: 'monitors', field: 'locations', to: 'locations' },
  { in: 'monitors', field: 'wanted.locations', to: 'locations' },
  { in: 'alert_rules', field: 'channels', to: 'channels' },
  { in: 'alert_rules', field: 'server_ids', to: 'servers' },
  { in: 'alert_rules', field: 'blacklist_monitor_ids', to: 'blacklist_monitors' },
  { in: 'maintenance_windows', field: 'monitor_ids', to: 'monitors' },
  { in: 'maintenance_windows', field: 'server_ids', to: 'servers' },
  { in: 'dependencies', field: 'monitor_id', to: 'monitors' },
  { in: 'dependencies', field: 'server_id', to: 'servers' },
  { in: 'dependencies', field: 'on_monitor_id', to: 'monitors' },
  { in: 'status_pages', field: 'groups.components.monitor_id', to: 'monitors' },
  { in: 'status_pages', field: 'groups.components.server_id', to: 'servers' },
  { in: 'client_report_schedules', field: 'monitors.ids', to: 'monitors' },
  { in: 'alert_rules', field: 'backup_job_ids', to: 'backup_jobs' },
  // A resolved incident is a record.
  { in: 'incidents', field: 'channels', to: 'channels', only: { open: true } },
];

/** Returns every stored id of something that does not exist. */
export async function deadReferences(db: Db): Promise<{ in: string; field: string; id: string }[]> {
  const dead = [];
  for (const { in: collection, field, to, only = {} } of REFERENCES) {
    const named = (await db.collection(collection).distinct(field, only)).filter((id) => id !== null);
    const things = db.collection<{ _id: string }>(to);
    const found = new Set((await things.find({ _id: { $in: named } }).toArray()).map(({ _id }) => _id));
    for (const id of named) if (!found.has(id)) dead.push({ in: collection, field, id });
  }
  return dead;
}
