/** The groups of the API reference in the order in which a reader looks for them, with what they contain. */
const GROUPS: readonly (readonly [name: string, description: string])[] = [
  ['Monitors', 'Uptime checks of URLs, ports and hosts from several locations, with their results and metrics.'],
  ['Alerts', 'Incidents with the decision behind each, and the timeline of the workspace.'],
  ['Channels', 'Where notifications of incidents are sent.'],
  ['Alert rules', 'Conditions on servers, blacklist monitors, domains and more that open incidents.'],
  ['Maintenance', 'Planned work, during which incidents notify nobody.'],
  ['Dependencies', 'What depends on a monitor, and notifies nobody while that is down.'],
  ['Servers', 'Servers that run the agent, with their metrics, disks, network interfaces and processes.'],
  ['Backups', 'Backup jobs and other cron jobs that must run on time.'],
  ['Domains', 'When the registered domains of monitors expire.'],
  ['E-mail domains', 'MX, SPF, DKIM, DMARC and more of domains, with a score.'],
  ['Security scans', 'Scans of the websites of monitors: headers, TLS, cookies, exposed files, open ports.'],
  ['Blacklists', 'DNS blacklist checks of addresses and domains, once or periodically.'],
  ['Client reports', 'PDF reports of the workspace for clients, generated in the background.'],
  ['Status pages', 'Public pages that show the state of monitors and servers to customers.'],
  ['WordPress', 'Hardening of WordPress sites: ten checks, with fixes that can be undone.'],
  ['Locations', 'The locations that monitors are checked from.'],
  ['Events', 'Changes of the workspace as they happen, as server-sent events.'],
  ['Audit log', 'What members and Picket itself did in the workspace, with export and forwarding.'],
  ['Workspace', 'The settings of the workspace, and the workspaces of a person.'],
  ['Team', 'Members of the workspace with their roles, and invitations.'],
  ['Billing', 'The plan of the workspace, what it uses of it, and its invoices.'],
  ['API keys', 'Keys of the workspace.'],
  ['Account', 'The account, workspace and key of the request.'],
  ['Sessions', 'Log-in and log-out, and the places where a person is logged in.'],
  ['Second factors', 'Authenticator apps, recovery codes and passkeys of a person.'],
  ['Single sign-on', 'The identity provider of the workspace, and the domains whose people it logs in.'],
  ['Operators', 'Probes and locations of the whole installation. Only for its operators.'],
  ['WordPress plugin', 'What the plugin on a WordPress site calls.'],
  ['About', 'This document.'],
];

interface Tag {
  name: string;
  description: string;
}

/** Returns the groups of these names, each once: those of `GROUPS` first, then all others in their own order. */
export function orderedTags(names: readonly string[]): Tag[] {
  const descriptions = new Map(GROUPS);
  const present = new Set(names);
  const ordered = new Set([...[...descriptions.keys()].filter((name) => present.has(name)), ...names]);
  return [...ordered].map((name) => ({ name, description: descriptions.get(name) ?? `${name}.` }));
}
