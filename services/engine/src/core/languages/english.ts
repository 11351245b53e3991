import type { LanguagePack } from './pack';

export const english: LanguagePack = {
  language: 'en',
  checked: 'sentences',
  press: ['press', 'dial', 'enter'],
  keys: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'star', 'pound', 'hash'],
  keyFirst: false,
  queue: [
    'please hold',
    'please stay on the line',
    'your call is important',
    'in the queue',
    'in line',
    'next available',
    'all of our',
    'you are caller number',
  ],
};
