import { Loader } from '@mantine/core';
import { Failure } from '../parts/failure';
import { t } from '../text/text';

/** Before it is known whether there is a session. */
export function Starting({ error, retry }: { readonly error: Error | null; readonly retry: () => unknown }) {
  return (
    <main className="starting">
      {error === null ? (
        <Loader type="bars" color="iris" role="img" aria-label={t('loading')} />
      ) : (
        <Failure error={error} retry={retry} />
      )}
    </main>
  );
}
