const PAGES: Readonly<Record<string, string>> = {
  alert: '/incidents/',
  alert_rule: '/settings/alert-rules/',
  backup_job: '/backup-jobs/',
  blacklist_monitor: '/blacklists/',
  channel: '/settings/channels/',
  email_domain: '/email-domains/',
  incident: '/incidents/',
  maintenance_window: '/maintenance/',
  monitor: '/monitors/',
  report_schedule: '/reports/schedules/',
  scan: '/scans/',
  server: '/servers/',
  site: '/wordpress/',
  status_page: '/status-pages/',
};

/** Returns the page of an object, as events, incidents and audit entries name it; null for a kind without pages. */
export function pageOf({ type, id }: { type: string; id: string }): string | null {
  const folder = Object.hasOwn(PAGES, type) ? PAGES[type] : undefined;
  return folder === undefined ? null : folder + id;
}
