import { Button } from '@mantine/core';
import { IconFilterOff, IconPhoneOff, IconPhonePlus } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { callsQuery } from '../../api/reads';
import { Failure } from '../../parts/failure';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';
import { PlaceCall } from '../place-call/place-call';
import { queryOf } from './call-filters';
import { CallTable } from './call-table';
import { Filters } from './filters';

const route = getRouteApi('/calls');

export default function CallsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isPlacing, setPlacing] = useState(false);
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    callsQuery(queryOf(search)),
  );
  const calls = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const isFiltered = Object.keys(search).length > 0;
  const clear = (): void => void navigate({ search: {} });
  const place = (
    <ScopedButton scope="calls:write" leftSection={<IconPhonePlus size={17} />} onClick={() => setPlacing(true)}>
      {t('calls.place')}
    </ScopedButton>
  );
  return (
    <Page title={t('calls.title')} lead={t('calls.lead')} actions={place} wide>
      <Filters search={search} change={(next) => void navigate({ search: next })} />
      {error !== null && data === undefined ? (
        <Failure error={error} retry={refetch} />
      ) : isPending ? (
        <Waiting rows={9} />
      ) : calls.length > 0 ? (
        <CallTable
          calls={calls}
          hasMore={hasNextPage}
          more={() => {
            if (!isFetchingNextPage) void fetchNextPage();
          }}
        />
      ) : isFiltered ? (
        <Notice Icon={IconFilterOff} title={t('calls.emptyFiltered')} lead={t('calls.emptyFilteredLead')}>
          <Button variant="default" onClick={clear}>
            {t('calls.filter.clear')}
          </Button>
        </Notice>
      ) : (
        <Notice Icon={IconPhoneOff} title={t('calls.empty')} lead={t('calls.emptyLead')}>
          {place}
        </Notice>
      )}
      {isPlacing && <PlaceCall close={() => setPlacing(false)} />}
    </Page>
  );
}
