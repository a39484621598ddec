import { AppError } from '../../errors.js';

export function noProvider(): AppError {
  return new AppError('not_found', 'This workspace has no identity provider.');
}
