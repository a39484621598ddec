import { type ReactNode, useEffect } from 'react';
import { plainText, type Said as Sentence } from '../../texts/said.ts';
import { Said } from '../said.tsx';

interface PageHeadProps {
  title: string | Sentence;
  /** The state in words: the first thing on every page. */
  sentence?: ReactNode | undefined;
  tone?: 'up' | 'down' | 'warning' | 'idle';
  mark?: ReactNode;
  actions?: ReactNode | undefined;
  /** The title is a sentence, which needs the whole width: the actions are below it. */
  isWide?: boolean;
}

/** The head of a page, which also names the tab. */
export function PageHead({ title, sentence, tone = 'idle', mark, actions, isWide = false }: PageHeadProps) {
  const said = typeof title === 'string' ? [title] : title;
  const tab = plainText(said, Date.now());
  useEffect(() => {
    document.title = `${tab} · Picket`;
  }, [tab]);
  return (
    <header className={isWide ? 'page-head page-head-wide' : 'page-head'}>
      <div className="page-head-text">
        <h1>
          {mark}
          <bdi>
            <Said words={said} />
          </bdi>
        </h1>
        {sentence === undefined ? null : <p className={`sentence sentence-${tone}`}>{sentence}</p>}
      </div>
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
    </header>
  );
}
