import {
  IconChartBar,
  IconKey,
  IconLockPassword,
  IconMessages,
  IconPhone,
  IconPhoneCalling,
  IconRobot,
  IconRocket,
  IconServerBolt,
  IconWaveSine,
  IconWebhook,
  type Icon,
} from '@tabler/icons-react';
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
      { to: '/live', text: 'nav.live', Icon: IconWaveSine },
      { to: '/agents', text: 'nav.agents', Icon: IconRobot },
      { to: '/simulations', text: 'nav.simulations', Icon: IconMessages },
      { to: '/analytics', text: 'nav.analytics', Icon: IconChartBar },
    ],
  },
  {
    title: 'nav.group.setup',
    items: [
      { to: '/numbers', text: 'nav.numbers', Icon: IconPhoneCalling },
      { to: '/trunks', text: 'nav.trunks', Icon: IconServerBolt },
      { to: '/credentials', text: 'nav.credentials', Icon: IconLockPassword },
      { to: '/webhooks', text: 'nav.webhooks', Icon: IconWebhook },
      { to: '/keys', text: 'nav.keys', Icon: IconKey },
    ],
  },
];
