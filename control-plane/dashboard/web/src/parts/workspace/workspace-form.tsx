import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import type { One, Workspace } from '../../api/types.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { Check } from '../../components/form/check.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

const NAME_CHARS_MAX = 200;

/** The name and, for owners, whether everybody needs a second factor. */
export function WorkspaceForm({ workspace, isOwner }: { workspace: Workspace; isOwner: boolean }) {
  const [name, setName] = useState(workspace.name);
  const [isRequired, setRequired] = useState(workspace.requires_second_factor);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const body = {
        ...(name.trim() === workspace.name ? {} : { name: name.trim() }),
        ...(isRequired === workspace.requires_second_factor ? {} : { requires_second_factor: isRequired }),
      };
      return (await confirmedCall<One<Workspace>>('PATCH', '/v1/workspace', body)).data;
    },
    onSuccess(saved) {
      toast({ text: texts.saved, undo: null });
      queries.setQueryData(['workspace'], saved);
      void queries.invalidateQueries({ queryKey: ['account'] });
    },
  });
  return (
    <FormPanel
      {...{ label: texts.general, submit: texts.save, action: save, cancel: null }}
      onSubmit={() => save.mutate()}
    >
      <TextInput
        {...{ label: texts.name, value: name, maxLength: NAME_CHARS_MAX, error: fieldErrors(save.error)['name'] }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {isOwner ? (
        <Check
          {...{ name: 'requires_second_factor', label: texts.requireFactor, help: texts.requireFactorHelp }}
          {...{ isOn: isRequired, change: setRequired }}
        />
      ) : null}
    </FormPanel>
  );
}
