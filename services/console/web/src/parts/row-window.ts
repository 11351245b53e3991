import { useLayoutEffect, useState, type RefObject } from 'react';

interface RowWindow {
  readonly first: number;
  /** Changes only with the height of the box: a row is neither created nor removed while scrolling. */
  readonly count: number;
}

/** Rows above and below the window that are rendered too, so that slow scrolling shows no gap. */
const around = 5;

/**
 * Which rows of equal height a scrolled box shows. The rows are rendered in a task after that of the scroll event, so that rendering them and laying them out
 * are not one long task.
 */
export function useRowWindow(box: RefObject<HTMLElement | null>, rowHeight: number): RowWindow {
  const [shown, setShown] = useState<RowWindow>({ first: 0, count: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    let height = element.clientHeight;
    const update = (): void => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - around);
      const count = Math.ceil(height / rowHeight) + 1 + 2 * around;
      setShown((now) => (now.first === first && now.count === count ? now : { first, count }));
    };
    const observer = new ResizeObserver(() => {
      height = element.clientHeight;
      update();
    });
    update();
    observer.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [box, rowHeight]);
  return shown;
}
