import { IconArrowDownLeft, IconArrowUpRight, IconDeviceLaptop } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import type { ListedCall } from '../../api/reads';
import { money } from '../../parts/money';
import { Status } from '../../parts/status';
import { duration, Moment } from '../../parts/time';
import { t, word } from '../../text/text';
import type { CallLinks } from './call-links';
import { partyOf } from './party';

interface Props {
  readonly call: ListedCall;
  readonly index: number;
  readonly agent: string;
  readonly now: number;
  readonly links: CallLinks;
}

const icons = new Map<string, ReactNode>();

/** One element for all rows of a kind: React compares it with itself, and renders it no more. */
function iconOf({ channel, direction }: ListedCall): ReactNode {
  const Direction =
    channel === 'browser' ? IconDeviceLaptop : direction === 'outbound' ? IconArrowUpRight : IconArrowDownLeft;
  const kind = `${channel} ${direction}`;
  const icon = icons.get(kind) ?? (
    <Direction size={16} className="direction" data-direction={direction} aria-label={t(`call.${direction}`)} />
  );
  icons.set(kind, icon);
  return icon;
}

/** Plain elements, of which each cell has one text: a window of rows changes with every frame while the list is scrolled. */
export const CallRow = memo(function CallRow({ call, index, agent, now, links }: Props) {
  return (
    <div role="row" className="call-row" aria-rowindex={index + 2}>
      <span role="cell" data-column="party">
        {iconOf(call)}
        <a {...links.handlers} href={links.href(call.call_id)} data-call={call.call_id} className="row-link">
          {partyOf(call)}
        </a>
        {call.simulated && <em className="tag">{t('call.simulated')}</em>}
      </span>
      <span role="cell" data-column="agent">
        {agent}
      </span>
      <span role="cell" data-column="status">
        <Status value={call.status} />
      </span>
      <span role="cell" data-column="started">
        <Moment at={call.created_at} from={now} />
      </span>
      <span role="cell" data-column="duration">
        {duration(call.duration_seconds)}
      </span>
      <span role="cell" data-column="cost">
        {money(call.cost)}
      </span>
      <span role="cell" data-column="reason">
        {call.ended_reason === null ? '' : word('reason', call.ended_reason)}
      </span>
    </div>
  );
});

/** The row of a call that is being read again. */
export const WaitingRow = ({ index }: { readonly index: number }) => (
  <div role="row" className="call-row" aria-rowindex={index + 2} aria-busy="true">
    <span role="cell" className="soft">
      {t('loading')}
    </span>
  </div>
);
