import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Returns the mutation that ends the session and opens the log-in page. */
export function useLogOut() {
  return useMutation({
    mutationFn: () => call('POST', '/v1/auth/logout'),
    onSuccess: () => location.assign(new URL('login', document.baseURI)),
  });
}
