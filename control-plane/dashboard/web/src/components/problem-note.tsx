import { Button } from '@mantine/core';
import { ApiProblem } from '../api/client.ts';
import { texts } from '../texts/app/texts.ts';
import { actionProblemText, loadProblemText } from './problem-text.ts';

/** Returns what a failed action means and what to do. */
export const problemText = (error: unknown): string => actionProblemText(problemOf(error));

const problemOf = (error: unknown): ApiProblem | null => (error instanceof ApiProblem ? error : null);

/** In place of what could not be loaded. */
export function ProblemNote({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <section className="panel empty" role="alert">
      <h2>{texts.problem.title}</h2>
      <p>{loadProblemText(problemOf(error))}</p>
      {retry === undefined ? null : (
        <Button variant="default" onClick={retry}>
          {texts.problem.tryAgain}
        </Button>
      )}
    </section>
  );
}

/** Above what is still shown, when an action failed. */
export function ActionProblem({ error }: { error: unknown }) {
  return error === null || error === undefined ? null : <Alert text={problemText(error)} />;
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
