import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiUrl } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { One, SingleSignOn } from '../../../api/types.ts';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { FormPanel } from '../../../components/form/form-panel.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { Enforcement } from './enforcement.tsx';
import { inputOf, type ProviderInput, providerBody } from './input.ts';
import { RoleMapping } from './role-mapping.tsx';

const DEFAULT_ROLES = ['', 'viewer', 'member', 'admin'] as const;

/** All settings of the identity provider; the API asks the provider before it saves them. */
export function ProviderForm({ provider }: { provider: SingleSignOn | null }) {
  const form = useForm<ProviderInput>({ initialValues: inputOf(provider) });
  const queries = useQueryClient();
  const words = texts.sso;
  const save = useMutation({
    mutationFn: async () =>
      (await confirmedCall<One<SingleSignOn>>('PUT', '/v1/single-sign-on', providerBody(provider, form.values))).data,
    onSuccess(saved) {
      toast({ text: words.saved, undo: null });
      queries.setQueryData(['team', 'single-sign-on'], saved);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: words.provider, submit: words.save, action: save, cancel: null }}
      onSubmit={() => save.mutate()}
    >
      <h2>{words.provider}</h2>
      <div>
        <p>{words.redirectHelp}</p>
        <CopyField label={words.redirect} value={provider?.redirect_uri ?? apiUrl('/v1/auth/sso/callback')} />
      </div>
      <TextInput
        {...{ label: words.issuer, description: words.issuerHelp, placeholder: 'https://id.example.com/realms/staff' }}
        {...form.getInputProps('issuer')}
      />
      <div className="form-row">
        <TextInput {...{ label: words.clientId, autoComplete: 'off' }} {...form.getInputProps('client_id')} />
        <TextInput
          {...{ label: words.clientSecret, type: 'password', autoComplete: 'off' }}
          description={provider === null ? undefined : words.keepSecret}
          {...form.getInputProps('client_secret')}
        />
      </div>
      <NativeSelect
        label={words.defaultRole}
        description={words.defaultRoleHelp}
        data={DEFAULT_ROLES.map((value) => ({ value, label: value === '' ? words.noAccess : texts.roles[value] }))}
        {...form.getInputProps('default_role')}
      />
      <TextInput
        {...{ label: words.roleClaim, description: words.roleClaimHelp, placeholder: 'groups' }}
        {...form.getInputProps('role_claim')}
      />
      {form.values.role_claim.trim() === '' ? null : <RoleMapping form={form} />}
      <Enforcement form={form} />
      {provider === null ? null : (
        <div>
          <p>{words.startHelp}</p>
          <CopyField label={words.startUrl} value={provider.start_url} />
        </div>
      )}
    </FormPanel>
  );
}
