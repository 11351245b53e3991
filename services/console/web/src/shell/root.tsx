import { IconUserOff } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { send } from '../api/request';
import { useFollowing } from '../api/following';
import { Notice } from '../parts/notice';
import { SessionGate, useMe } from '../session/session';
import { t } from '../text/text';
import { Shell } from './shell';

export function Root() {
  return (
    <SessionGate>
      <Inside />
    </SessionGate>
  );
}

function Inside() {
  const { organization } = useMe();
  return organization === null ? <WithoutOrganization /> : <Following />;
}

function Following() {
  useFollowing();
  return <Shell />;
}

/** An operator's key: the platform's lists require an organization. */
function WithoutOrganization() {
  const client = useQueryClient();
  const leave = async (): Promise<void> => {
    await send('DELETE', '/session');
    client.setQueryData(['session'], null);
  };
  return (
    <main className="starting">
      <Notice Icon={IconUserOff} title={t('account.noOrganization')} lead={t('account.noOrganizationLead')}>
        <Button onClick={() => void leave()}>{t('signout')}</Button>
      </Notice>
    </main>
  );
}
