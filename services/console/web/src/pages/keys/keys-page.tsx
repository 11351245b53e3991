import { Alert, Badge, Button, Modal, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ApiKeyRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../api/reads';
import { write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { LongList } from '../../parts/long-list';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { absolute, Ago } from '../../parts/time';
import { Waiting } from '../../parts/waiting';
import { useMe } from '../../session/session';
import { t } from '../../text/text';

/** Keys are listed and revoked here. They are created where they are used: no token passes through a page. */
export default function KeysPage() {
  const { data, error, refetch } = useQuery(keysQuery);
  return (
    <Page title={t('keys.title')} lead={t('keys.lead')} wide>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={refetch} />
      ) : data === undefined ? (
        <Waiting rows={5} />
      ) : data.data.length === 0 ? (
        <Notice Icon={IconKey} title={t('keys.empty')} lead={t('keys.lead')} />
      ) : (
        <LongList items={data.data} className="deliveries card" label={t('keys.title')} height={95}>
          {(key) => <Key key={key.key_id} record={key} />}
        </LongList>
      )}
    </Page>
  );
}

const stateOf = ({ revoked_at: revoked, expires_at: expires }: ApiKeyRecord): 'revoked' | 'expired' | 'usable' =>
  revoked !== null ? 'revoked' : expires !== null && Date.parse(expires) <= Date.now() ? 'expired' : 'usable';

function Key({ record }: { readonly record: ApiKeyRecord }) {
  const me = useMe();
  const [isAsking, setAsking] = useState(false);
  const state = stateOf(record);
  const isOwn = record.key_id === me.key_id || record.key_id === me.subject;
  return (
    <li className="key">
      <div>
        <b>{record.name}</b> <code>…{record.last_four}</code>{' '}
        <span className="pill" data-tone={state === 'usable' ? 'good' : 'bad'}>
          {t(`keys.${state}`)}
        </span>
        {record.kind === 'session' && <em className="tag">{t('keys.session')}</em>}
        {isOwn && <em className="tag">{t('keys.own')}</em>}
        <p>
          {record.scopes.map((scope) => (
            <Badge key={scope} variant="light" color="gray" size="sm" tt="none">
              {scope}
            </Badge>
          ))}
        </p>
        <small className="soft">
          {record.last_used_at === null ? t('keys.unused') : t('keys.used')}{' '}
          {record.last_used_at !== null && <Ago at={record.last_used_at} />}{' '}
          {record.last_used_address !== null && t('keys.from', { address: record.last_used_address })}{' '}
          {record.expires_at !== null && t('keys.expires', { time: absolute(record.expires_at) })}{' '}
          {record.allowed_cidrs !== null && t('keys.cidrs', { blocks: record.allowed_cidrs.join(', ') })}{' '}
          {record.requests_per_minute !== null && t('keys.rate', { count: record.requests_per_minute })}
        </small>
      </div>
      {state === 'usable' && (
        <ScopedButton scope="api_keys:write" size="xs" color="red" variant="light" onClick={() => setAsking(true)}>
          {t('keys.revoke')}
        </ScopedButton>
      )}
      {isAsking && <Revoke record={record} close={() => setAsking(false)} />}
    </li>
  );
}

/** Revoking is irreversible, so it needs a confirmation. */
function Revoke({ record, close }: { readonly record: ApiKeyRecord; readonly close: () => void }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => write<ApiKeyRecord>('POST', `/v1/api-keys/${record.key_id}/revoke`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['keys'] });
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={t('keys.revoke')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <Stack>
        <Text size="sm">{t('keys.revokeLead', { name: record.name })}</Text>
        {revoke.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {revoke.error.message}
          </Alert>
        )}
        <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()} data-autofocus>
          {t('keys.revokeNow')}
        </Button>
      </Stack>
    </Modal>
  );
}
