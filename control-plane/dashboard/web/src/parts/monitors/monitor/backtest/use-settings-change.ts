import { useMutation } from '@tanstack/react-query';
import { send } from '../../../../api/client.ts';
import { apiPath } from '../../../../api/path.ts';
import type { Monitor, One, UpdateMonitor } from '../../../../api/types.ts';
import { useSaved } from '../../edit/use-saved.ts';

interface SettingsChange {
  patch: UpdateMonitor;
  /** What was done, in words. */
  text: string;
}

/** Changes some settings of a monitor at once; the message has the way back. */
export function useSettingsChange(monitor: Monitor) {
  const saved = useSaved(monitor.id);
  return useMutation({
    async mutationFn({ patch, text }: SettingsChange) {
      const { body, etag } = await send<One<Monitor>>('PATCH', apiPath`/v1/monitors/${monitor.id}`, { body: patch });
      saved({ before: monitor, after: { thing: body.data, etag }, patch, text });
    },
  });
}
