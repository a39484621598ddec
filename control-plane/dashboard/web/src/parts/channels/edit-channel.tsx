import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { apiPath } from '../../api/path.ts';
import type { Channel, One } from '../../api/types.ts';
import { KeptNote } from '../../components/editing/kept-note.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { editOf } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { toast } from '../../components/toasts.tsx';
import { ChannelFields } from './form/channel-form.tsx';
import { inputOf, updateBody } from './form/input.ts';
import { texts } from './texts/texts.ts';

/** The settings of a channel. Only what was changed is sent, so that somebody else's change to another field stays. */
export function EditChannel({ channel, isGone }: { channel: Channel; isGone: boolean }) {
  const path = apiPath`/v1/channels/${channel.id}`;
  const { form, forget, isKept, discard } = useKeptForm(editOf(path), inputOf(channel), isGone);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const body = updateBody(channel, form.values);
      return body === null ? channel : (await call<One<Channel>>('PATCH', path, body)).data;
    },
    onSuccess(saved) {
      forget();
      toast({ text: texts.saved(saved.name), undo: null });
      queries.setQueryData(['channel', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['channels'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action: save, cancel: '/settings/channels' }}
      cancelled={forget}
      onSubmit={() => save.mutate()}
    >
      <KeptNote isKept={isKept} discard={discard} />
      <p className="soft">{texts.typeHelp[channel.type]}</p>
      <ChannelFields form={form} type={channel.type} stored={channel.config} />
    </FormPanel>
  );
}
