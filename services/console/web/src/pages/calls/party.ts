import type { CallRecord } from '@parley/sdk';
import { t } from '../../text/text';

/** Whom the agent talks with. */
export const partyOf = ({ channel, direction, from, to }: CallRecord): string =>
  channel === 'browser' ? t('call.browser') : ((direction === 'outbound' ? to : from) ?? t('call.unknown'));
