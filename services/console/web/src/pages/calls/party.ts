import type { ListedCall } from '../../api/reads';
import { t } from '../../text/text';

/** Whom the agent talks with. */
export const partyOf = ({ channel, direction, from, to }: ListedCall): string =>
  channel === 'browser' ? t('call.browser') : ((direction === 'outbound' ? to : from) ?? t('call.unknown'));
