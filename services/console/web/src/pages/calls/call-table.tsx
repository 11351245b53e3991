import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type CSSProperties } from 'react';
import { agentsQuery, type ListedCall } from '../../api/reads';
import { RowKeys, type Listing } from '../../parts/listing.mts';
import { useIsNarrow } from '../../parts/narrow';
import { useRowWindow } from '../../parts/row-window';
import { useNow } from '../../parts/time';
import { useCan } from '../../session/session';
import { t } from '../../text/text';
import { useCallLinks } from './call-links';
import { CallRow, WaitingRow } from './call-row';

interface Props {
  readonly calls: Listing<ListedCall>;
  readonly hasMore: boolean;
  /** Called with the rows that are shown. */
  readonly show: (first: number, end: number) => void;
}

const columns = ['party', 'agent', 'status', 'started', 'duration', 'cost', 'reason'] as const;

/** Only visible rows are rendered, however many were read. */
export function CallTable({ calls, hasMore, show }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useIsNarrow() ? 78 : 50;
  const { first: atTop, count } = useRowWindow(scroller, rowHeight);
  const first = Math.max(0, Math.min(atTop, calls.length - count));
  const end = Math.min(first + count, calls.length);
  const toScroller = useCallback((): void => scroller.current?.focus({ preventScroll: true }), []);
  useEffect(() => show(first, end), [show, first, end]);
  const rows = { '--row-height': `${rowHeight}px`, height: calls.length * rowHeight } as CSSProperties;
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
        <div className="table-rows" style={rows} role="presentation">
          <div role="presentation" style={{ top: first * rowHeight }}>
            <Rows calls={calls} first={first} end={end} toScroller={toScroller} />
          </div>
        </div>
      </div>
      <div className="table-foot">{hasMore ? t('list.more') : t('list.count', { count: calls.length })}</div>
    </div>
  );
}

interface RowsProps {
  readonly calls: Listing<ListedCall>;
  readonly first: number;
  readonly end: number;
  readonly toScroller: () => void;
}

const Rows = memo(function Rows({ calls, first, end, toScroller }: RowsProps) {
  const can = useCan();
  const { data: agents } = useQuery({ ...agentsQuery, enabled: can('agents:read') });
  const names = useMemo(() => new Map(agents?.data.map(({ agent_id: id, name }) => [id, name])), [agents]);
  const now = useNow();
  const links = useCallLinks();
  const [keys] = useState(() => new RowKeys());
  const shown = calls.slice(first, end);
  const rowKeys = keys.of(shown.map((call, n) => call?.call_id ?? `row ${first + n}`));
  useLayoutEffect(() => {
    // The element of the focused link shows another call now, which Enter must not open.
    const focused = links.focused.current;
    if (focused !== undefined && !shown.some((call) => call?.call_id === focused)) toScroller();
  });
  return shown.map((call, n) => {
    if (call === undefined) return <WaitingRow key={rowKeys[n]} index={first + n} />;
    const { agent_id: id } = call;
    const agent = id === null ? '–' : (names.get(id) ?? id);
    return <CallRow key={rowKeys[n]} call={call} index={first + n} agent={agent} now={now} links={links} />;
  });
});
