import { IconPencil } from '@tabler/icons-react';
import type { NumberRecord, SipTrunkRecord } from '@parley/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/request';
import { Confirm } from '../../parts/confirm';
import { ScopedButton } from '../../parts/scoped-button';
import { Ago } from '../../parts/time';
import { t } from '../../text/text';

const countries = new Intl.DisplayNames(undefined, { type: 'region' });
const countryName = (code: string): string => countries.of(code) ?? code;

interface Props {
  readonly trunk: SipTrunkRecord;
  /** Those that call and are called by it; undefined while they are read. */
  readonly numbers: readonly NumberRecord[] | undefined;
  readonly edit: () => void;
}

export function Trunk({ trunk, numbers, edit }: Props) {
  const { sip_trunk_id: id, name, host, port, transport, username, codecs, cold_transfers: transfers } = trunk;
  const { numbers: form, trusted } = trunk;
  const read =
    typeof form === 'string'
      ? t('trunks.callers.asSent')
      : t('trunks.callers.dialed', { country: countryName(form.country) });
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => send('DELETE', `/v1/sip-trunks/${id}`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['trunks'] }),
  });
  return (
    <li className="card agent-card">
      <div className="agent-card-head">
        <b>{name}</b>
        <em className="tag">{transport.toUpperCase()}</em>
      </div>
      <code className="trunk-address">
        {host}:{port}
      </code>
      <dl className="pairs pairs-narrow">
        <div>
          <dt>{t('trunks.username')}</dt>
          <dd>{username ?? t('trunks.noUsername')}</dd>
        </div>
        <div>
          <dt>{t('trunks.codecs')}</dt>
          <dd>{codecs.join(', ')}</dd>
        </div>
        <div>
          <dt>{t('trunks.transfers')}</dt>
          <dd>{t(`trunks.transfers.${transfers}`)}</dd>
        </div>
        <div>
          <dt>{t('trunks.callers')}</dt>
          <dd>{trusted ? `${read}, ${t('trunks.callers.trusted')}` : read}</dd>
        </div>
        <div>
          <dt>{t('trunks.numbers')}</dt>
          <dd>
            {numbers === undefined ? (
              '…'
            ) : numbers.length === 0 ? (
              t('none')
            ) : (
              <Link to="/numbers" search={{ trunk: id }}>
                {numbers.map(({ phone_number: number }) => number).join(', ')}
              </Link>
            )}
          </dd>
        </div>
      </dl>
      <div className="agent-card-foot">
        <Ago at={trunk.updated_at} />
        <span className="version-actions">
          <ScopedButton
            scope="numbers:write"
            size="xs"
            variant="default"
            leftSection={<IconPencil size={15} />}
            aria-label={t('trunks.editName', { name })}
            onClick={edit}
          >
            {t('edit')}
          </ScopedButton>
          <ScopedButton
            scope="numbers:write"
            size="xs"
            color="red"
            variant="light"
            aria-label={t('trunks.deleteName', { name })}
            onClick={() => setAsking(true)}
          >
            {t('delete')}
          </ScopedButton>
        </span>
      </div>
      {isAsking && (
        <Confirm
          title={t('trunks.delete')}
          lead={t('trunks.deleteLead', { name })}
          action={t('trunks.deleteNow')}
          isPending={remove.isPending}
          error={remove.error}
          confirm={() => remove.mutate()}
          close={() => setAsking(false)}
        />
      )}
    </li>
  );
}
