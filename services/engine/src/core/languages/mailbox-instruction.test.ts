import { callMachineIn, isMailboxInstruction } from './mailbox-instruction';

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

const kindOf = (heard: string, language: string): string | undefined =>
  isMailboxInstruction(heard, language) ? 'mailbox' : callMachineIn(heard, language);

describe('machines that answer calls', () => {
  it.each([
    'This call is being screened. Please record your name at the beep.',
    'At the tone, please record your name.',
    'Please record your name after the tone, then press pound.',
    'Record your name at the beep and stay on the line.',
    "Hi, if you record your name and reason for calling, I'll see if this person is available.",
    'The person you are calling is using a screening service from Google, and will get a copy of this conversation.',
    'Hello, this call is using call assist. Who is calling, and why?',
    'Please say your name and why you are calling.',
    'Please state your name after the tone.',
    'Your call will be screened before it is connected.',
    'Please give your name so that your call can be announced.',
    'please announce your name',
  ])('screening: %j', (heard) => {
    expect(kindOf(heard, 'en-US')).toBe('call_screening');
  });

  it.each([
    ['de', 'Bitte nennen Sie Ihren Namen und den Grund Ihres Anrufs.', 'call_screening'],
    ['fr', 'Indiquez votre nom, votre correspondant va vous répondre.', 'call_screening'],
    ['es', 'Por favor, diga su nombre después de la señal.', 'call_screening'],
    ['de', 'Kein Anschluss unter dieser Nummer.', 'not_in_service'],
    ['de', 'Die gewählte Rufnummer ist nicht vergeben.', 'not_in_service'],
    ['fr', "Le numéro que vous avez composé n'est pas attribué.", 'not_in_service'],
    ['es', 'El número marcado no existe.', 'not_in_service'],
    ['it', 'Il numero selezionato è inesistente.', 'not_in_service'],
    ['nl', 'Dit nummer is niet in gebruik.', 'not_in_service'],
    ['pt', 'O número para o qual ligou não está atribuído.', 'not_in_service'],
    ['ru', 'Набранный вами номер не существует.', 'not_in_service'],
    ['pl', 'Wybrany numer nie istnieje.', 'not_in_service'],
    ['de', 'The number you have dialed is not in service.', 'not_in_service'],
    ['fr', 'Please record your name at the beep.', 'call_screening'],
  ])('%s: %j is %s', (language, heard, expected) => {
    expect(kindOf(heard, language)).toBe(expected);
  });

  it.each([
    'The number you have dialed is not in service.',
    'The number you have reached has been disconnected or is no longer in service.',
    'We are sorry, your call cannot be completed as dialed. Please check the number.',
    'The number you dialed is not a working number, it is not assigned.',
    'This number is no longer in use.',
    'The extension you entered is not valid.',
    'The line is out of order.',
    'The number you called is incorrect.',
    'The number you are calling does not exist.',
    'the number you have dialed has been changed to a new one',
    'your call cannot be completed as dialled',
    'the number you dialled is invalid',
  ])('not in service: %j', (heard) => {
    expect(kindOf(heard, 'en')).toBe('not_in_service');
  });

  it.each([
    'Hello, who is calling please?',
    'May I ask who is calling?',
    'Can you tell me your name?',
    'What was your name again?',
    'My phone line was down yesterday.',
    'I changed my number last week.',
    'That is not my number any more.',
    'You have the wrong number.',
    'The service is not good.',
    'I will put your name on the list.',
    'She is not available today.',
    'Say again please?',
    'I record my own music.',
    'Give me a second.',
    'Please hold on, I will connect you.',
    'Which number did you dial?',
    'Your order number is not in my list.',
    'We are open until five.',
    'Speaking.',
    'I cannot talk right now, can you call back?',
  ])('a person: %j', (heard) => {
    expect(kindOf(heard, 'en')).toBeUndefined();
  });

  it.each([
    'Please leave your name and number after the tone.',
    'Record your message after the tone. When you have finished, hang up or press pound.',
    'You have reached my voicemail, please leave a message.',
    'Please record your name and a short message after the beep.',
    'At the beep, leave your number and we will call you back.',
  ])('a mailbox, not screening: %j', (heard) => {
    expect(kindOf(heard, 'en')).toBe('mailbox');
  });
});
