import { useEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../text/text';

interface Props<T> {
  readonly items: readonly T[];
  readonly className: string;
  readonly label: string;
  /** The height of an item before it was shown, in pixels. */
  readonly height: number;
  /** An item as an `li` with a key. */
  readonly children: (item: T) => ReactNode;
}

/** A longer list is divided into blocks of this length. */
const blockLength = 60;
/** Blocks within this distance of the window are rendered. */
const nearPx = 1_500;

/** A list of any length and layout: of a long one, only the blocks near the window are in the page. */
export function LongList<T>({ items, className, label, height, children }: Props<T>) {
  if (items.length <= blockLength)
    return (
      <ul className={className} aria-label={label}>
        {items.map(children)}
      </ul>
    );
  const count = Math.ceil(items.length / blockLength);
  return (
    <div className="long-list">
      {Array.from({ length: count }, (_, n) => {
        const first = n * blockLength;
        const block = items.slice(first, first + blockLength);
        const values = { list: label, first: first + 1, last: first + block.length, count: items.length };
        return (
          <Block
            key={n}
            className={className}
            label={t('list.block', values)}
            height={height * block.length}
            isFirst={n === 0}
          >
            {() => block.map(children)}
          </Block>
        );
      })}
    </div>
  );
}

interface BlockProps {
  readonly className: string;
  readonly label: string;
  readonly height: number;
  readonly isFirst: boolean;
  readonly children: () => ReactNode;
}

function Block({ className, label, height, isFirst, children }: BlockProps) {
  const list = useRef<HTMLUListElement>(null);
  const [{ isNear, heightPx }, setState] = useState({ isNear: isFirst, heightPx: height });
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (entry === undefined) return;
        // What has the keyboard's focus stays, wherever it was scrolled to.
        const stays = entry.isIntersecting || element.contains(document.activeElement);
        setState({ isNear: stays, heightPx: entry.boundingClientRect.height });
      },
      { rootMargin: `${nearPx}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <ul ref={list} className={className} aria-label={label} style={isNear ? undefined : { height: heightPx }}>
      {isNear && children()}
    </ul>
  );
}
