import type { ReactNode } from 'react';

/** A link to a page elsewhere. Only web addresses become links: a `javascript:` URL would run in the page of whoever clicks it. */
export function ExternalLink({ url, children }: { url: string; children: ReactNode }) {
  if (!/^https?:\/\//i.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
