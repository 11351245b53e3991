import { useSyncExternalStore } from 'react';
import { connection, watchConnection } from '../api/events';
import { useCan } from '../session/session';
import { t } from '../text/text';

/** Whether the displayed data is live. */
export function StreamState() {
  const state = useSyncExternalStore(watchConnection, () => connection);
  const can = useCan()('agents:read');
  if (!can)
    return (
      <span className="stream" data-state="off">
        {t('stream.off', { scope: 'agents:read' })}
      </span>
    );
  return (
    <span className="stream" data-state={state} role="status">
      {t(`stream.${state}`)}
    </span>
  );
}
