import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { useMayWrite } from '../account.ts';
import { navEntries } from '../places.ts';
import { GO_TO } from './key-action.ts';
import { texts } from './texts.ts';
import { PALETTE_KEY } from './use-keys.ts';
import './keys.css';

/** The keys that work on every page. */
export function KeyList({ close }: { close(): void }) {
  const [isOpen, setOpen] = useState(true);
  const mayWrite = useMayWrite();
  const pages = new Map(navEntries().map(({ to, label }) => [to, label]));
  // The dialog gives the focus back before it goes.
  useEffect(() => {
    if (!isOpen) close();
  }, [isOpen, close]);
  return (
    <Dialog title={texts.title} isOpen={isOpen} close={() => setOpen(false)}>
      <dl className="keys">
        <Line keys={<kbd>{PALETTE_KEY}</kbd>} does={texts.palette} />
        <Line keys={<kbd>/</kbd>} does={texts.filter} />
        <Line keys={<kbd>?</kbd>} does={texts.keys} />
        <Line keys={<Two first="j" second="k" between="/" />} does={texts.rows} />
        <Line keys={<Two first="↓" second="↑" between="/" />} does={texts.rows} />
        <Line keys={<kbd>{texts.keyNames.enter}</kbd>} does={texts.open} />
        {mayWrite ? <Line keys={<kbd>x</kbd>} does={texts.select} /> : null}
        <Line keys={<Two first="←" second="→" between="/" />} does={texts.bars} />
        <Line keys={<Two first={texts.keyNames.home} second={texts.keyNames.end} between="/" />} does={texts.ends} />
        <Line keys={<Two first={texts.keyNames.up} second={texts.keyNames.down} between="/" />} does={texts.tens} />
        {Object.entries(GO_TO).map(([key, to]) => {
          const label = pages.get(to);
          const keys = <Two first="g" second={key} between={texts.followedBy} />;
          return label === undefined ? null : <Line key={key} keys={keys} does={texts.goTo(label)} />;
        })}
      </dl>
      <p className="soft">{texts.help}</p>
      <p>
        <Link to="/glossary" onClick={() => setOpen(false)}>
          {texts.words}
        </Link>
      </p>
      <div className="page-actions">
        <Button variant="default" onClick={() => setOpen(false)}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  );
}

function Line({ keys, does }: { keys: ReactNode; does: string }) {
  return (
    <div className="key-line">
      <dt>{keys}</dt>
      <dd>{does}</dd>
    </div>
  );
}

function Two({ first, second, between }: { first: string; second: string; between: string }) {
  return (
    <>
      <kbd>{first}</kbd> <span className="soft">{between}</span> <kbd>{second}</kbd>
    </>
  );
}
