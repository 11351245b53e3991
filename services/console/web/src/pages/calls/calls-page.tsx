import { Button } from '@mantine/core';
import { IconFilterOff, IconPhoneOff, IconPhonePlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useState, type ReactNode } from 'react';
import { Failure } from '../../parts/failure';
import { Notice } from '../../parts/notice';
import { Page } from '../../parts/page';
import { ScopedButton } from '../../parts/scoped-button';
import { Waiting } from '../../parts/waiting';
import { t } from '../../text/text';
import { PlaceCall } from '../place-call/place-call';
import type { CallSearch } from './call-filters';
import { useCallPages } from './call-pages';
import { CallTable } from './call-table';
import { Filters } from './filters';

const route = getRouteApi('/calls');

export default function CallsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isPlacing, setPlacing] = useState(false);
  const change = useCallback((next: CallSearch): void => void navigate({ search: next }), [navigate]);
  const place = (
    <ScopedButton scope="calls:write" leftSection={<IconPhonePlus size={17} />} onClick={() => setPlacing(true)}>
      {t('calls.place')}
    </ScopedButton>
  );
  return (
    <Page title={t('calls.title')} lead={t('calls.lead')} actions={place} wide>
      <Filters search={search} change={change} />
      <Calls search={search} clear={() => change({})} place={place} />
      {isPlacing && <PlaceCall close={() => setPlacing(false)} />}
    </Page>
  );
}

interface CallsProps {
  readonly search: CallSearch;
  readonly clear: () => void;
  readonly place: ReactNode;
}

/** Apart from the page, whose filters would be rendered with every page that is read while scrolling. */
function Calls({ search, clear, place }: CallsProps) {
  const { calls, isPending, error, refetch, ...rest } = useCallPages(search);
  if (error !== null && calls === undefined) return <Failure error={error} retry={refetch} />;
  if (isPending || calls === undefined) return <Waiting rows={9} />;
  if (calls.length > 0) return <CallTable calls={calls} {...rest} />;
  return Object.keys(search).length > 0 ? (
    <Notice Icon={IconFilterOff} title={t('calls.emptyFiltered')} lead={t('calls.emptyFilteredLead')}>
      <Button variant="default" onClick={clear}>
        {t('calls.filter.clear')}
      </Button>
    </Notice>
  ) : (
    <Notice Icon={IconPhoneOff} title={t('calls.empty')} lead={t('calls.emptyLead')}>
      {place}
    </Notice>
  );
}
