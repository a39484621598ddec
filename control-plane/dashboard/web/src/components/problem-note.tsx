import { Button } from '@mantine/core';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../api/client.ts';
import { useLiveness } from '../app/live/use-live.ts';
import { texts } from '../texts/app/texts.ts';
import { PageHead } from './page/page-head.tsx';
import { actionProblemText, isInDoubt, loadProblemText } from './problem-text.ts';

/** Returns what a failed action means and what to do. */
export const problemText = (error: unknown, isBack = false): string => actionProblemText(problemOf(error), isBack);

/** Returns whether nobody knows if a failed action was done. */
export const isUncertain = (error: unknown): boolean => isInDoubt(problemOf(error));

const problemOf = (error: unknown): ApiProblem | null => (error instanceof ApiProblem ? error : null);

interface LoadProblemProps {
  error: unknown;
  retry?: () => void;
  /** Whether it is being loaded again right now. */
  isTrying?: boolean;
}

/** In place of a page that could not be loaded. */
export function PageProblem(problem: LoadProblemProps) {
  return (
    <>
      <PageHead title={texts.problem.title} />
      <section className="panel empty" role="alert">
        <LoadExplained {...problem} />
      </section>
    </>
  );
}

/** In place of a part of a page that could not be loaded. */
export function ProblemNote(problem: LoadProblemProps) {
  return (
    <section className="panel empty" role="alert">
      <h2>{texts.problem.title}</h2>
      <LoadExplained {...problem} />
    </section>
  );
}

function LoadExplained({ error, retry, isTrying = false }: LoadProblemProps) {
  return (
    <>
      <p>{loadProblemText(problemOf(error))}</p>
      {retry === undefined ? null : (
        // The button stays one that can be pressed, so that it keeps the focus.
        <Button variant="default" onClick={retry}>
          {isTrying ? texts.problem.trying : texts.problem.tryAgain}
        </Button>
      )}
    </>
  );
}

interface ActionProblemProps {
  error: unknown;
  /** The page that shows whether it was done, where this one does not. */
  seen?: string | null;
}

/**
 * Above what is still shown, when an action failed. It comes into view: in a long form it can be far from the button that
 * was pressed.
 */
export function ActionProblem({ error, seen = null }: ActionProblemProps) {
  const note = useRef<HTMLParagraphElement>(null);
  const isNone = error === null || error === undefined;
  const isBack = useIsBack(error);
  useEffect(() => {
    if (!isNone) note.current?.scrollIntoView({ block: 'nearest' });
  }, [isNone]);
  if (isNone) return null;
  return (
    <p className="note bad" role="alert" ref={note}>
      {problemText(error, isBack)}
      {seen !== null && isInDoubt(problemOf(error)) ? (
        <>
          {' '}
          <Link to={seen} target="_blank">
            {texts.problem.look}
          </Link>
        </>
      ) : null}
    </p>
  );
}

/** Whether Picket has answered since the error: the page has a connection again, or a read that began later was answered. */
function useIsBack(error: unknown): boolean {
  const { state } = useLiveness();
  const isAnswered = useIsAnswered(error);
  const [awayAfter, setAwayAfter] = useState<unknown>(null);
  const isConnected = state === 'live' || state === 'polled';
  if (!isConnected && awayAfter !== error) setAwayAfter(error);
  return isConnected && (isAnswered || awayAfter === error);
}

/** A proxy can end one request while the stream lives. */
function useIsAnswered(error: unknown): boolean {
  const queries = useQueryClient();
  const [answeredAfter, setAnsweredAfter] = useState<unknown>(null);
  useEffect(() => {
    if (error === null || error === undefined) return;
    const begun = new WeakSet<Query>();
    return queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      const { action, query } = event;
      if (action.type === 'fetch') begun.add(query);
      if (action.type === 'success' && action.manual !== true && begun.has(query)) setAnsweredAfter(error);
    });
  }, [queries, error]);
  return answeredAfter === error;
}

/** Within a panel, in place of what could not be loaded. */
export function LoadProblem({ error }: { error: unknown }) {
  return error === null || error === undefined ? null : <Alert text={loadProblemText(problemOf(error))} />;
}

function Alert({ text }: { text: string }) {
  return (
    <p className="note bad" role="alert">
      {text}
    </p>
  );
}
