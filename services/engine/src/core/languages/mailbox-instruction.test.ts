import { isMailboxInstruction } from './mailbox-instruction';

describe('spoken instructions of a mailbox, in English', () => {
  it.each([
    'You have reached the mailbox of Sam. Please leave a message after the tone.',
    "I can't come to the phone right now, please leave a message.",
    'Please leave me a short message and I will call you back.',
    'Please record your message after the beep.',
    'At the tone, please record your message.',
    'Leave your name and number after the beep.',
    'please leave a message',
    'i cannot come to the phone right now please leave a message',
    'please leave a message after the town',
    'we are not at home please leave your name and number after the p',
    'at the same now please record your name and your message',
  ])('include %j', (heard) => {
    expect(isMailboxInstruction(heard, 'en-US')).toBe(true);
  });

  it.each([
    'Hello?',
    'Would you like to leave a message?',
    'Do you want to leave a message after the meeting?',
    'Sam is not here, you can leave a message with me.',
    'Could you please leave a message?',
    'he asked me to please leave a message',
    'Please do not leave a message.',
    'Please leave your name and number with my colleague.',
    'Please leave a message after the meeting with my colleague.',
    'I would like you to please leave a message',
    'Please leave a message with my colleague.',
    'I heard a tone. Leave me alone.',
    'What message? I leave at five.',
    '',
  ])('do not include %j', (heard) => {
    expect(isMailboxInstruction(heard, 'en-US')).toBe(false);
  });

  it.each([
    ['en', true],
    ['EN_gb', true],
    ['de', false],
    ['et', false],
    ['fr', false],
    ['ru', false],
    ['', false],
  ])('are recognised in a call in %j: %s', (language, expected) => {
    expect(isMailboxInstruction('Please leave a message after the tone.', language)).toBe(expected);
  });
});
