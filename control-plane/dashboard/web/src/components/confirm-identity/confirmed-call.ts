import { ApiProblem, call } from '../../api/client.ts';
import { texts } from '../../texts/app/texts.ts';

/** A question to the person that waits for the answer. */
interface Question {
  answer: Promise<boolean>;
  settle(isConfirmed: boolean): void;
}

let open: Question | null = null;
const listeners = new Set<() => void>();

function show(question: Question | null): void {
  open = question;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`: the question that waits, null without one. */
export const confirmation = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  current: (): Question | null => open,
};

/** Resolves to whether the person proved who they are. Requests that fail at the same time share one question. */
function askPerson(): Promise<boolean> {
  if (open !== null) return open.answer;
  let resolve: (isConfirmed: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((settle) => {
    resolve = settle;
  });
  show({
    answer,
    settle(isConfirmed) {
      show(null);
      resolve(isConfirmed);
    },
  });
  return answer;
}

/**
 * Like `call`, for routes that need a fresh confirmation of who the person is: when the API asks for one, it asks the
 * person and repeats the request. Throws ApiProblem, with the code `not_confirmed` when the person cancelled.
 */
export async function confirmedCall<Body>(...request: Parameters<typeof call>): Promise<Body> {
  try {
    return await call<Body>(...request);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'confirmation_required') throw error;
    if (!(await askPerson()))
      throw new ApiProblem(403, { code: 'not_confirmed', detail: texts.problem.notConfirmed }, null);
    return call<Body>(...request);
  }
}
