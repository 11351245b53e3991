import { IconPlugConnected } from '@tabler/icons-react';
import type { ComponentCredentialRecord, ComponentCredentialTest } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { send, write } from '../../api/request';
import { Confirm } from '../../parts/confirm';
import { Refusal } from '../../parts/refusal';
import { ScopedButton } from '../../parts/scoped-button';
import { Ago } from '../../parts/time';
import { t, word } from '../../text/text';
import type { TestState } from './credential-search';
import { ReplaceSecret } from './replace-secret';

const tones: Readonly<Record<TestState, string>> = { accepted: 'good', refused: 'bad', untested: 'plain' };

interface Props {
  readonly credential: ComponentCredentialRecord;
  readonly state: TestState;
}

/** A stored account of a provider. Its secret is in no answer: what can be read is whether the provider took it. */
export function Credential({ credential, state }: Props) {
  const { component_credential_id: id, name, provider, kind, base_url: address, standby } = credential;
  const path = `/v1/component-credentials/${id}`;
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: ['credentials'] });
  const [asks, setAsks] = useState<'replace' | 'delete'>();
  const test = useMutation({
    mutationFn: () => write<ComponentCredentialTest>('POST', `${path}/test`),
    onSettled: refresh,
  });
  const remove = useMutation({ mutationFn: () => send('DELETE', path), onSuccess: refresh });
  return (
    <li className="key">
      <div>
        <b>{name}</b>{' '}
        <span className="pill" data-tone={tones[state]}>
          {word('credentialTest', state)}
        </span>
        <em className="tag">{word('credentialKind', kind)}</em>
        {standby && <em className="tag">{t('credentials.standby')}</em>}
        <p className="key-line">
          {provider} · {address ?? t('credentials.public')}
        </p>
        <small className="soft">
          {credential.tested_at !== null && (
            <>
              {t('credentials.tested')} <Ago at={credential.tested_at} /> · {credential.test_detail}{' '}
            </>
          )}
          {credential.replaced_at === null ? t('credentials.created') : t('credentials.replaced')}{' '}
          <Ago at={credential.replaced_at ?? credential.created_at} />
        </small>
        <Refusal error={test.error} />
      </div>
      <span className="version-actions">
        <ScopedButton
          scope="agents:write"
          size="xs"
          variant="default"
          leftSection={<IconPlugConnected size={15} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('credentials.test')}
        </ScopedButton>
        <ScopedButton scope="agents:write" size="xs" variant="default" onClick={() => setAsks('replace')}>
          {t('credentials.replace')}
        </ScopedButton>
        <ScopedButton scope="agents:write" size="xs" color="red" variant="light" onClick={() => setAsks('delete')}>
          {t('delete')}
        </ScopedButton>
      </span>
      {asks === 'replace' && <ReplaceSecret path={path} name={name} close={() => setAsks(undefined)} />}
      {asks === 'delete' && (
        <Confirm
          title={t('credentials.delete')}
          lead={t('credentials.deleteLead', { name })}
          action={t('credentials.deleteNow')}
          isPending={remove.isPending}
          error={remove.error}
          confirm={() => remove.mutate()}
          close={() => setAsks(undefined)}
        />
      )}
    </li>
  );
}
