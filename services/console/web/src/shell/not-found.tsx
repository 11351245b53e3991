import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../parts/failure';
import { Notice } from '../parts/notice';
import { t } from '../text/text';

export function NotFound() {
  return (
    <Notice Icon={IconMapOff} title={t('error.notFound')} lead={t('error.notFoundLead')}>
      <Button variant="default" renderRoot={(props) => <Link to="/calls" {...props} />}>
        {t('error.home')}
      </Button>
    </Notice>
  );
}

export function PageFailure({ error, reset }: ErrorComponentProps) {
  return <Failure error={error instanceof Error ? error : new Error(String(error))} retry={reset} />;
}
