import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Names the mutation: when it has ended the session, other requests are refused, and must not open another page. */
export const LOG_OUT = ['log-out'];

/** Returns the mutation that ends the session and opens the log-in page. */
export function useLogOut() {
  return useMutation({
    mutationKey: LOG_OUT,
    mutationFn: () => call('POST', '/v1/auth/logout'),
    onSuccess: () => location.assign(new URL('login', document.baseURI)),
  });
}
