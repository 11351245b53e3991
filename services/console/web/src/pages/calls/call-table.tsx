import type { CallRecord } from '@parley/sdk';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { IconArrowDownLeft, IconArrowUpRight, IconDeviceLaptop } from '@tabler/icons-react';
import { agentsQuery } from '../../api/reads';
import { money } from '../../parts/money';
import { Status } from '../../parts/status';
import { Ago, duration } from '../../parts/time';
import { useCan } from '../../session/session';
import { t, word } from '../../text/text';
import { partyOf } from './party';

interface Props {
  readonly calls: readonly CallRecord[];
  readonly hasMore: boolean;
  readonly more: () => void;
}

const columns = ['party', 'agent', 'status', 'started', 'duration', 'cost', 'reason'] as const;

/** Only visible rows are rendered, however many were read. */
export function CallTable({ calls, hasMore, more }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const can = useCan();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const names = useMemo(() => new Map(agents?.data.map(({ agent_id: id, name }) => [id, name])), [agents]);
  const rowHeight = isNarrow ? 78 : 50;
  const rows = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => rows.measure(), [rows, rowHeight]);
  useEffect(() => {
    if (hasMore && last >= calls.length - 20) more();
  }, [hasMore, last, calls.length, more]);
  return (
    <div
      className="card table"
      role="table"
      aria-label={t('calls.title')}
      aria-rowcount={hasMore ? -1 : calls.length + 1}
    >
      <div role="row" className="call-row table-head" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column} role="columnheader" data-column={column}>
            {t(`calls.column.${column}`)}
          </span>
        ))}
      </div>
      <div ref={scroller} className="table-scroll" role="rowgroup" tabIndex={0} aria-label={t('calls.title')}>
        <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
          {shown.map(({ index, start }) => {
            const call = calls[index];
            if (call === undefined) return null;
            const name = call.agent_id === null ? undefined : (names.get(call.agent_id) ?? call.agent_id);
            return <Row key={call.call_id} call={call} index={index} top={start} height={rowHeight} agent={name} />;
          })}
        </div>
      </div>
      <div className="table-foot">{hasMore ? t('list.more') : t('list.count', { count: calls.length })}</div>
    </div>
  );
}

interface RowProps {
  readonly call: CallRecord;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly agent: string | undefined;
}

function Row({ call, index, top, height, agent }: RowProps) {
  const Direction =
    call.channel === 'browser'
      ? IconDeviceLaptop
      : call.direction === 'outbound'
        ? IconArrowUpRight
        : IconArrowDownLeft;
  return (
    <div
      role="row"
      className="call-row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <span role="cell" data-column="party">
        <Direction
          size={16}
          className="direction"
          data-direction={call.direction}
          aria-label={t(`call.${call.direction}`)}
        />
        <Link to="/calls/$callId" params={{ callId: call.call_id }} className="row-link">
          {partyOf(call)}
        </Link>
        {call.simulated && <em className="tag">{t('call.simulated')}</em>}
      </span>
      <span role="cell" data-column="agent">
        {agent ?? '–'}
      </span>
      <span role="cell" data-column="status">
        <Status value={call.status} />
      </span>
      <span role="cell" data-column="started">
        <Ago at={call.created_at} />
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
}
