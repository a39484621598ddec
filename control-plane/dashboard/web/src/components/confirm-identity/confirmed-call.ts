import { ApiProblem, call } from '../../api/client.ts';
import { createQuestions } from '../../api/question.ts';
import { texts } from '../../texts/app/texts.ts';

/** Whether the person proved who they are. */
export const confirmation = createQuestions();

/**
 * Like `call`, for routes that need a fresh confirmation of who the person is: when the API asks for one, it asks the
 * person and repeats the request. Throws ApiProblem, with the code `not_confirmed` when the person cancelled.
 */
export async function confirmedCall<Body>(...request: Parameters<typeof call>): Promise<Body> {
  try {
    return await call<Body>(...request);
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== 'confirmation_required') throw error;
    if (!(await confirmation.ask()))
      throw new ApiProblem(403, { code: 'not_confirmed', detail: texts.problem.notConfirmed }, null);
    return call<Body>(...request);
  }
}
