import { type ReactNode, useEffect } from 'react';

interface PageHeadProps {
  title: string;
  /** The state in words: the first thing on every page. */
  sentence?: ReactNode | undefined;
  tone?: 'up' | 'down' | 'warning' | 'idle';
  mark?: ReactNode;
  actions?: ReactNode | undefined;
}

/** The head of a page, which also names the tab. */
export function PageHead({ title, sentence, tone = 'idle', mark, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Picket`;
  }, [title]);
  return (
    <header className="page-head">
      <div className="page-head-text">
        <h1>
          {mark}
          <bdi>{title}</bdi>
        </h1>
        {sentence === undefined ? null : <p className={`sentence sentence-${tone}`}>{sentence}</p>}
      </div>
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
    </header>
  );
}
