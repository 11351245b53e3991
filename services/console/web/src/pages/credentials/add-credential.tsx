import { Button, Checkbox, Modal, PasswordInput, SegmentedControl, Select, Stack, TextInput } from '@mantine/core';
import type { AgentCatalogue, ComponentCredentialRecord, Kind } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { catalogueQuery } from '../../api/reads';
import { once, write } from '../../api/request';
import { Refusal } from '../../parts/refusal';
import { useMe } from '../../session/session';
import { t, word } from '../../text/text';
import { kinds } from './credential-search';

/** Any server with OpenAI's interface: its address is required, a secret is not. */
const compatible = 'openai_compatible';

function providersOf(catalogue: AgentCatalogue | undefined, kind: Kind) {
  const lists = { stt: catalogue?.transcribers, llm: catalogue?.models, tts: catalogue?.voices };
  return (lists[kind] ?? []).flatMap(({ provider, label, requires_account: needsAccount }) =>
    provider !== undefined && (needsAccount === true || provider === compatible)
      ? [{ value: provider, label: label ?? provider }]
      : [],
  );
}

export function AddCredential({ close }: { readonly close: () => void }) {
  const me = useMe();
  const client = useQueryClient();
  const { data: catalogue } = useQuery(catalogueQuery);
  const [kind, setKind] = useState<Kind>('llm');
  const [provider, setProvider] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [address, setAddress] = useState('');
  const [standby, setStandby] = useState(false);
  const [key] = useState(once);
  const create = useMutation({
    mutationFn: () =>
      write<ComponentCredentialRecord>('POST', '/v1/component-credentials', {
        body: {
          organization_id: me.organization?.organization_id,
          ...{ kind, provider, name, standby },
          ...(secret !== '' && { secret }),
          ...(address !== '' && { base_url: address }),
        },
        headers: key,
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['credentials'] });
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  const isCompatible = provider === compatible;
  return (
    <Modal opened onClose={close} title={t('credentials.add')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <form onSubmit={submit}>
        <Stack>
          <SegmentedControl
            fullWidth
            aria-label={t('credentials.kind')}
            data={kinds.map((value) => ({ value, label: word('credentialKind', value) }))}
            value={kind}
            onChange={(next) => {
              setKind(next);
              setProvider(null);
            }}
          />
          <Select
            label={t('agent.provider')}
            data={providersOf(catalogue, kind)}
            value={provider}
            onChange={setProvider}
            searchable
            required
            comboboxProps={{ shadow: 'md' }}
          />
          <TextInput
            label={t('webhooks.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={200}
            required
          />
          <PasswordInput
            label={t('credentials.secret')}
            description={t('credentials.secretHint')}
            value={secret}
            onChange={(event) => setSecret(event.currentTarget.value)}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('credentials.show') }}
            required={!isCompatible}
          />
          <TextInput
            label={t('credentials.address')}
            description={t('credentials.addressHint')}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            required={isCompatible}
          />
          <Checkbox
            label={t('credentials.standby')}
            description={t('credentials.standbyHint')}
            checked={standby}
            onChange={(event) => setStandby(event.currentTarget.checked)}
          />
          <Refusal error={create.error} />
          <Button type="submit" loading={create.isPending}>
            {t('credentials.add')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
