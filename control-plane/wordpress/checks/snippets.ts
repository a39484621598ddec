import type { CheckId } from './catalogue.js';

interface Snippets {
  apache: string;
  nginx: string;
}

/** As the plugin sends them. */
const HEADERS = [
  ['Strict-Transport-Security', 'max-age=15552000'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['Content-Security-Policy', "frame-ancestors 'self'; base-uri 'self'; object-src 'none'; upgrade-insecure-requests"],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
] as const;

function headerLines(line: (name: string, value: string) => string): string {
  return HEADERS.map(([name, value]) => line(name, value)).join('\n');
}

/** What a person pastes where the plugin cannot make the change. The others are files of the plugin, which need no snippet. */
const SNIPPETS: Partial<Record<CheckId, Snippets>> = {
  'directory-browsing': { apache: 'Options -Indexes', nginx: 'autoindex off;' },
  'debug-mode': {
    apache:
      '<DirectoryMatch "/wp-content$">\n  <Files "debug.log">\n    Require all denied\n  </Files>\n</DirectoryMatch>',
    nginx: 'location = /wp-content/debug.log {\n  deny all;\n}',
  },
  'force-https': {
    apache:
      '# In the virtual host of port 80.\nRewriteEngine On\nRewriteCond %{REQUEST_URI} !^/\\.well-known/acme-challenge/\nRewriteRule ^ https://%{SERVER_NAME}%{REQUEST_URI} [R=301,L]',
    nginx: '# In the server block of port 80.\nlocation / {\n  return 301 https://$server_name$request_uri;\n}',
  },
  'security-headers': {
    apache: headerLines((name, value) => `Header onsuccess unset ${name}\nHeader always set ${name} "${value}"`),
    nginx: headerLines((name, value) => `add_header ${name} "${value}" always;`),
  },
  'block-php-uploads': {
    apache:
      '<DirectoryMatch "/wp-content/uploads">\n  <FilesMatch "(?i)\\.(?:php[0-9]*|pht|phtml|phar|phps)(?:\\.|$)">\n    Require all denied\n  </FilesMatch>\n</DirectoryMatch>',
    nginx:
      '# Before the location that runs PHP.\nlocation ~* /wp-content/uploads/.*\\.(?:php[0-9]*|pht|phtml|phar|phps)(?:[./]|$) {\n  deny all;\n}',
  },
};

/** Returns what to paste for a check into the configuration of the web server; null if that would not help. `server` is what the web server calls itself. */
export function snippetOf(check: CheckId, server: string): { server: keyof Snippets; text: string } | null {
  const kind = /nginx|openresty|angie/i.test(server) ? 'nginx' : 'apache';
  const snippets = SNIPPETS[check];
  if (snippets === undefined) return null;
  return { server: kind, text: snippets[kind] };
}
