import { Button } from '@mantine/core';
import { ApiProblem } from '../api/client.ts';
import { texts } from '../texts/app/texts.ts';

/** Returns what a failed request means and what happens next. */
function problemText(error: unknown): string {
  if (!(error instanceof ApiProblem) || error.status === 0) return texts.problem.unreachable;
  if (error.status === 403) return texts.problem.forbidden;
  if (error.status === 429) return texts.problem.rateLimited;
  if (error.status >= 500) return texts.problem.unavailable;
  return texts.problem.failed(error.message);
}

/** In place of what could not be loaded. */
export function ProblemNote({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <section className="panel empty" role="alert">
      <h2>{texts.problem.title}</h2>
      <p>{problemText(error)}</p>
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
  if (error === null || error === undefined) return null;
  return (
    <p className="note bad" role="alert">
      {problemText(error)}
    </p>
  );
}
