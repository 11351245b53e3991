import { IconPhone, IconRobot, IconRocket, IconWebhook, type Icon } from '@tabler/icons-react';
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
      { to: '/agents', text: 'nav.agents', Icon: IconRobot },
    ],
  },
  { title: 'nav.group.setup', items: [{ to: '/webhooks', text: 'nav.webhooks', Icon: IconWebhook }] },
];
