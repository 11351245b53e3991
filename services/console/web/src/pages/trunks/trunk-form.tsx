import {
  Button,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import type { SipTrunkRecord } from '@parley/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { once, readWithEtag, write } from '../../api/request';
import { Failure } from '../../parts/failure';
import { Refusal } from '../../parts/refusal';
import { Waiting } from '../../parts/waiting';
import { useMe } from '../../session/session';
import { t } from '../../text/text';

const codecNames = ['g722', 'pcma', 'pcmu'];

interface Props {
  /** Undefined: a new one. */
  readonly trunk?: SipTrunkRecord;
  /** The ETag of the read that the form began with, so that concurrent changes are not overwritten. */
  readonly etag?: string;
  readonly close: () => void;
}

/** The form of a trunk as it is now, read when it opens. */
export function EditTrunk({ id, close }: { readonly id: string; readonly close: () => void }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['trunk', id],
    queryFn: ({ signal }) => readWithEtag<SipTrunkRecord>(`/v1/sip-trunks/${id}`, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (data !== undefined) return <TrunkForm trunk={data.value} etag={data.etag} close={close} />;
  return (
    <Modal opened onClose={close} title={t('trunks.edit')} closeButtonProps={{ 'aria-label': t('close') }} centered>
      {error === null ? <Waiting rows={4} /> : <Failure error={error} retry={refetch} />}
    </Modal>
  );
}

export function TrunkForm({ trunk, etag, close }: Props) {
  const me = useMe();
  const client = useQueryClient();
  const [draft, setDraft] = useState({
    name: trunk?.name ?? '',
    host: trunk?.host ?? '',
    port: trunk?.port ?? 5060,
    transport: trunk?.transport ?? 'udp',
    username: trunk?.username ?? '',
    password: '',
    codecs: trunk?.codecs ?? ['g722', 'pcmu'],
    cold_transfers: trunk?.cold_transfers ?? 'bridge',
    numbers: trunk?.numbers ?? 'as_sent',
    trusted: trunk?.trusted ?? false,
  });
  const change = (part: Partial<typeof draft>): void => setDraft({ ...draft, ...part });
  const [key] = useState(once);
  const { username, password, ...rest } = draft;
  const save = useMutation({
    mutationFn: async () => {
      const secret = password === '' ? {} : { password };
      if (trunk === undefined)
        return write<SipTrunkRecord>('POST', '/v1/sip-trunks', {
          body: {
            organization_id: me.organization?.organization_id,
            ...rest,
            ...(username !== '' && { username }),
            ...secret,
          },
          headers: key,
        });
      return write<SipTrunkRecord>('PATCH', `/v1/sip-trunks/${trunk.sip_trunk_id}`, {
        body: { ...rest, username: username === '' ? null : username, ...secret },
        headers: { 'If-Match': etag ?? '' },
      });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['trunks'] });
      close();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const title = t(trunk === undefined ? 'trunks.add' : 'trunks.edit');
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': t('close') }} centered>
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('webhooks.name')}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            maxLength={200}
            required
            data-autofocus
          />
          <Group align="flex-start" grow preventGrowOverflow={false} wrap="nowrap">
            <TextInput
              label={t('trunks.host')}
              description={t('trunks.hostHint')}
              value={draft.host}
              onChange={(event) => change({ host: event.currentTarget.value })}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
            />
            <NumberInput
              label={t('trunks.port')}
              value={draft.port}
              onChange={(port) => change({ port: Number(port) })}
              min={1}
              max={65_535}
              hideControls
              maw={110}
              required
            />
          </Group>
          <div>
            <span className="label" id="trunk-transport">
              {t('trunks.transport')}
            </span>
            <SegmentedControl
              fullWidth
              aria-labelledby="trunk-transport"
              data={[
                { value: 'udp', label: 'UDP' },
                { value: 'tcp', label: 'TCP' },
              ]}
              value={draft.transport}
              onChange={(transport) => change({ transport: transport })}
            />
          </div>
          <TextInput
            label={t('trunks.username')}
            description={t('trunks.usernameHint')}
            value={username}
            onChange={(event) => change({ username: event.currentTarget.value })}
            autoComplete="off"
          />
          <PasswordInput
            label={t('trunks.password')}
            description={t(trunk === undefined ? 'trunks.passwordHint' : 'trunks.passwordKept')}
            value={password}
            onChange={(event) => change({ password: event.currentTarget.value })}
            visibilityToggleButtonProps={{ 'aria-label': t('credentials.show') }}
            autoComplete="off"
          />
          <MultiSelect
            label={t('trunks.codecs')}
            description={t('trunks.codecsHint')}
            data={codecNames}
            value={draft.codecs}
            onChange={(codecs) => change({ codecs: codecs as SipTrunkRecord['codecs'] })}
            required
          />
          <div>
            <span className="label" id="trunk-transfers">
              {t('trunks.transfers')}
            </span>
            <SegmentedControl
              fullWidth
              aria-labelledby="trunk-transfers"
              data={(['bridge', 'refer'] as const).map((value) => ({ value, label: t(`trunks.transfers.${value}`) }))}
              value={draft.cold_transfers}
              onChange={(next) => change({ cold_transfers: next })}
            />
          </div>
          <TextInput
            label={t('trunks.country')}
            description={t('trunks.countryHint')}
            value={typeof draft.numbers === 'string' ? '' : draft.numbers.country}
            onChange={({ currentTarget: { value } }) =>
              change({ numbers: value === '' ? 'as_sent' : { country: value.toUpperCase() } })
            }
            maxLength={2}
            autoComplete="off"
          />
          <Switch
            label={t('trunks.trusted')}
            description={t('trunks.trustedHint')}
            checked={draft.trusted}
            onChange={(event) => change({ trusted: event.currentTarget.checked })}
          />
          <Refusal error={save.error} />
          <Button type="submit" loading={save.isPending}>
            {t(trunk === undefined ? 'trunks.add' : 'save')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
