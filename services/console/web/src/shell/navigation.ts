import { IconPhone, IconRocket, type Icon } from '@tabler/icons-react';
import type { TextKey } from '../text/text';

interface Item {
  readonly to: string;
  readonly text: TextKey;
  readonly Icon: Icon;
}

export const navigation: readonly { readonly title: TextKey; readonly items: readonly Item[] }[] = [
  {
    title: 'nav.group.work',
    items: [
      { to: '/start', text: 'nav.start', Icon: IconRocket },
      { to: '/calls', text: 'nav.calls', Icon: IconPhone },
    ],
  },
];
