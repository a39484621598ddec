import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { Channel, One } from '../../api/types.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { toast } from '../../components/toasts.tsx';
import { ChannelFields } from './channel-form.tsx';
import { type ChannelInput, inputOf, updateBody } from './input.ts';
import { texts } from './texts/texts.ts';

/** The settings of a channel. Only what was changed is sent, so that somebody else's change to another field stays. */
export function EditChannel({ channel }: { channel: Channel }) {
  const form = useForm<ChannelInput>({ initialValues: inputOf(channel) });
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const body = updateBody(channel, form.values);
      return body === null ? channel : (await call<One<Channel>>('PATCH', `/v1/channels/${channel.id}`, body)).data;
    },
    onSuccess(saved) {
      toast({ text: texts.saved(saved.name), undo: null });
      queries.setQueryData(['channel', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['channels'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action: save, cancel: '/settings/channels' }}
      onSubmit={() => save.mutate()}
    >
      <p className="soft">{texts.typeHelp[channel.type]}</p>
      <ChannelFields form={form} type={channel.type} stored={channel.config} />
    </FormPanel>
  );
}
