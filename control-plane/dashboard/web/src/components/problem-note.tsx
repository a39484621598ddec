import { Button } from '@mantine/core';
import { ApiProblem } from '../api/client.ts';
import { texts } from '../texts/app/texts.ts';

/** How the API begins when the role is the reason; other refusals, such as those of the plan, explain themselves. */
const ROLE_TOO_LOW = /^Your role is /;

/** Returns what a failed request means and what happens next. */
export function problemText(error: unknown): string {
  if (!(error instanceof ApiProblem) || error.status === 0) return texts.problem.unreachable;
  if (error.status === 403 && ROLE_TOO_LOW.test(error.message)) return texts.problem.forbidden;
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
