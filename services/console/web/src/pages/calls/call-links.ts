import { useRouter } from '@tanstack/react-router';
import { useMemo, useRef, type MouseEvent, type RefObject, type SyntheticEvent } from 'react';

type Anchor = HTMLAnchorElement;

export interface CallLinks {
  readonly href: (id: string) => string;
  readonly handlers: {
    readonly onClick: (event: MouseEvent<Anchor>) => void;
    readonly onMouseEnter: (event: SyntheticEvent<Anchor>) => void;
    readonly onTouchStart: (event: SyntheticEvent<Anchor>) => void;
    readonly onFocus: (event: SyntheticEvent<Anchor>) => void;
    readonly onBlur: () => void;
  };
  /** The call whose link has the keyboard's focus. */
  readonly focused: RefObject<string | undefined>;
}

/** Links of rows, with one set of handlers for all of them: a component of the router in each row takes longer than the rest of the row. */
export function useCallLinks(): CallLinks {
  const router = useRouter();
  const focused = useRef<string>(undefined);
  return useMemo(() => {
    const to = (callId: string) => ({ to: '/calls/$callId', params: { callId } }) as const;
    const preload = ({ currentTarget: { dataset } }: SyntheticEvent<Anchor>): void =>
      void router.preloadRoute(to(dataset['call'] ?? '')).catch(() => undefined);
    return {
      focused,
      href: (id) => `${router.basepath}/calls/${encodeURIComponent(id)}`,
      handlers: {
        onClick: (event) => {
          const isOwn = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey || event.button !== 0;
          const callId = event.currentTarget.dataset['call'];
          // The browser opens tabs and windows.
          if (isOwn || callId === undefined || event.defaultPrevented) return;
          event.preventDefault();
          void router.navigate(to(callId));
        },
        onMouseEnter: preload,
        onTouchStart: preload,
        onFocus: (event) => {
          focused.current = event.currentTarget.dataset['call'];
          preload(event);
        },
        onBlur: () => {
          focused.current = undefined;
        },
      },
    };
  }, [router]);
}
