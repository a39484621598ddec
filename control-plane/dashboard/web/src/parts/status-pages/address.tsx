import { Button } from '@mantine/core';
import { useState } from 'react';
import { ExternalLink } from '../../components/external-link.tsx';
import { texts as frame } from '../../texts/app/texts.ts';

/** A public address of a page: a link, and a button that copies it. */
export function Address({ url }: { url: string }) {
  const [isCopied, setCopied] = useState(false);
  const { copied, copy } = frame.copy;
  return (
    <div className="status-address">
      <ExternalLink url={url}>
        <bdi>{url.replace(/^https?:\/\//, '')}</bdi>
      </ExternalLink>
      {/* Browsers permit the clipboard only on https and on localhost. */}
      {navigator.clipboard === undefined ? null : (
        <Button
          variant="default"
          size="xs"
          className="status-small"
          onClick={() =>
            void navigator.clipboard.writeText(url).then(
              () => setCopied(true),
              () => undefined,
            )
          }
        >
          {isCopied ? copied : copy}
        </Button>
      )}
      <span className="only-spoken" role="status">
        {isCopied ? copied : ''}
      </span>
    </div>
  );
}
