import { Conversation, tool } from '../../test/conversation';
import { plainBehavior } from '../../test/plain-behavior';
import { languagePack, languagePacks } from './languages/index';
import type { CallPlan } from './plan';

const limits = { maxMenuMs: 20_000, maxHoldMs: 60_000 };
const navigating = (change: Partial<CallPlan> = {}) =>
  Conversation.opened({
    conduct: { ...plainBehavior, navigation: limits },
    endOfTurn: { finished: 800, unfinished: 800, withoutDetector: 800 },
    speculates: false,
    ...change,
  });
const menu = 'For sales, press one.';
/** The call is in a menu from 3,000 on; the model is requested at 3,800. */
const inMenu = (change: Partial<CallPlan> = {}) => navigating(change).says(menu, 2_000, 3_000).at(3_800);

describe('navigation of phone menus', () => {
  it.each([
    [22_999, undefined, undefined],
    [23_000, 'ivr_timeout', 'navigation_limit'],
  ])(
    'max_navigation_seconds: with a menu from 3,000 ms on, at %d ms the end reason is %s, %s',
    (now, reason, detail) => {
      const call = inMenu()
        .replies(3_900, '', tool('press_digits', { digits: '1' }))
        .at(now);
      expect([call.ended, call.detail]).toEqual([reason, detail]);
    },
  );

  it.each([
    ['music after the menu', (call: Conversation) => call.at(5_000, { type: 'music_started' })],
    ['the tool wait_on_hold', (call: Conversation) => call.at(4_000).replies(5_000, '', tool('wait_on_hold'))],
    [
      'an announcement of the queue',
      (call: Conversation) =>
        call
          .replies(3_900, '', tool('press_digits', { digits: '1' }))
          .says('Your call is important to us.', 4_000, 5_000),
    ],
  ])('max_hold_seconds counts from %s', (_, act) => {
    expect(act(inMenu()).at(64_999).ended).toBeUndefined();
    const call = act(inMenu({ conduct: { ...plainBehavior, navigation: limits, modelUnresponsiveMs: null } })).at(
      65_000,
    );
    expect([call.ended, call.detail]).toEqual(['ivr_timeout', 'hold_limit']);
    expect(call.last('report').event.navigation).toEqual({ menu_ms: 2_000, hold_ms: 60_000 });
  });

  it('a person who speaks pauses both limits', () => {
    const call = inMenu()
      .replies(3_900, '', tool('press_digits', { digits: '1' }))
      .says('This is Anna.', 12_000, 13_000);
    call.at(13_800).replies(14_000, 'Hello Anna.').spoken(15_000).says(menu, 40_000, 41_000).at(41_800);
    call.replies(41_900, '', tool('press_digits', { digits: '2' }));
    // Ten seconds in the menu before, and ten more.
    expect(call.at(50_999).ended).toBeUndefined();
    expect(call.at(51_000).detail).toBe('navigation_limit');
  });

  const queue = 'All of our agents are busy.';
  const unlisted = 'Did you know that you can also find answers on our website?';
  const music = { type: 'music_started' } as const;
  const noMusic = { type: 'music_ended' } as const;
  const patient = { conduct: { ...plainBehavior, navigation: limits, modelUnresponsiveMs: null } };
  const unopened = (change: Partial<CallPlan> = {}) =>
    Conversation.answered({
      ...patient,
      endOfTurn: { finished: 800, unfinished: 800, withoutDetector: 800 },
      speculates: false,
      ...change,
    });

  it.each<[string, (call: Conversation) => Conversation, number]>([
    ['a queue without a menu', (call) => call.says(queue, 500, 1_000), 61_000],
    [
      'music after an announcement that is not listed',
      (call) => call.says(unlisted, 500, 1_000).at(1_500, music),
      61_500,
    ],
    [
      'a queue with announcements that are not listed',
      (call) => call.says(queue, 500, 1_000).at(3_000, music).at(9_000, noMusic).says(unlisted, 10_000, 14_000),
      61_000,
    ],
    [
      'music after such an announcement, also if the agent has answered it',
      (call) =>
        call
          .says(queue, 500, 1_000)
          .at(2_000)
          .replies(2_100, 'Hello?')
          .spoken(3_000)
          .at(4_000, music)
          .says(unlisted, 10_000, 14_000),
      61_000,
    ],
  ])('max_hold_seconds ends %s', (_, act, until) => {
    expect(act(unopened()).at(until - 1).ended).toBeUndefined();
    expect(act(unopened()).at(until).detail).toBe('hold_limit');
  });

  it.each<[string, (call: Conversation) => Conversation]>([
    ['a greeting', (call) => call.says('Thank you for holding, this is Anna from billing.', 20_000, 22_000)],
    ['a short text', (call) => call.says('Acme, yes?', 20_000, 22_000)],
    [
      'an answer to the agent',
      (call) =>
        call
          .replies(2_100, 'Is anyone there?')
          .spoken(3_000)
          .says('Well then tell me your number please.', 20_000, 22_000),
    ],
  ])('%s in a queue is a person', (_, act) => {
    const call = act(unopened().says(queue, 500, 1_000).at(1_800));
    expect(call.state.navigation.at).toBe('nowhere');
    expect(call.at(120_000).detail).not.toBe('hold_limit');
  });

  it('a person who asks to hold after a dialogue is no queue, until music follows', () => {
    const call = navigating()
      .says('Hello, who is this?', 2_000, 3_000)
      .at(3_900)
      .replies(4_000, 'It is me.')
      .spoken(5_000);
    call.says('Please hold.', 6_000, 7_000);
    expect(call.state.navigation.at).toBe('nowhere');
    expect(call.at(9_000, music).state.navigation.at).toBe('hold');
  });

  it('music while a person talks is no queue', () => {
    expect(unopened().says('Hello?', 500, 1_000).at(1_500, music).state.navigation.at).toBe('nowhere');
  });

  describe.each(['Good morning.', ''])('with the first message %j', (greeting) => {
    const inQueue = (change: Partial<CallPlan> = {}) =>
      unopened({ greeting, ...change })
        .says(menu, 500, 1_000)
        .at(1_800)
        .replies(1_900, '', tool('press_digits', { digits: '1' }))
        .at(5_000, music)
        .at(15_000, noMusic);

    it.each([{}, { firstSpeaker: 'agent' }] as const)(
      'a menu goes to the model, the opening to the person: %j',
      (change) => {
        const call = inQueue(change);
        expect(call.last('press').digits).toBe('1');
        const before = call.said.length;
        const requests = call.count('start_model');
        call.says('Hello?', 20_000, 20_500).at(21_300);
        expect(call.state.opened).toBe(true);
        if (greeting === '') expect(call.count('start_model')).toBe(requests + 1);
        else expect([call.said.slice(before), call.count('start_model')]).toEqual([[greeting], requests]);
      },
    );
  });

  it('the opening does not follow silence in a menu, and is not repeated after a dialogue', () => {
    expect(unopened().says(menu, 500, 1_000).at(15_000).said).toEqual([]);
    const call = navigating()
      .says('Hello, who is this?', 2_000, 3_000)
      .at(3_900)
      .replies(4_000, 'It is me.')
      .spoken(5_000);
    call.says(menu, 6_000, 7_000).at(7_800).replies(7_900, '', tool('wait_on_hold'));
    call.says('Hello, this is Bob.', 20_000, 21_000).at(21_800);
    expect([call.said, call.count('start_model')]).toEqual([['Good morning.', 'It is me.'], 3]);
  });

  it.each<[string, (call: Conversation) => Conversation, string]>([
    ['only a menu and music', (call) => call.says(menu, 500, 1_000).at(5_000, music), 'unknown'],
    ['a menu, then a person', (call) => call.says(menu, 500, 1_000).says('Hello?', 5_000, 5_500), 'human'],
  ])('a call that met %s is classified as %s', (_, act, expected) => {
    expect(act(unopened()).at(8_000, 'hung_up').last('complete').outcome.classification).toBe(expected);
  });

  it('press_digits sends DTMF keys, and returns an error for invalid ones', () => {
    const call = inMenu().replies(3_900, '', tool('press_digits', { digits: '12#' }));
    expect([call.last('press').digits, call.count('start_model')]).toEqual(['12#', 1]);
    for (const digits of ['', 'abc', '1'.repeat(33), null]) {
      const other = inMenu().replies(3_900, '', tool('press_digits', { digits }));
      expect([other.count('press'), other.count('start_model')]).toEqual([0, 2]);
      expect(other.last('start_model').history.at(-1)).toMatchObject({ role: 'tool' });
    }
  });

  it('abandon_navigation ends the call', () => {
    expect(inMenu().replies(3_900, '', tool('abandon_navigation')).ended).toBe('agent_hung_up');
  });

  it('in a menu and on hold, non_human_audio end_call does not end the call', () => {
    const call = navigating({ nonHumanAudio: 'end_call' }).at(2_000, { type: 'music_started' });
    call
      .says(menu, 3_000, 4_000)
      .at(4_900)
      .replies(5_000, '', tool('press_digits', { digits: '1' }));
    expect(call.at(20_000).ended).toBeUndefined();
  });

  it('without navigation there are no limits, and press_digits is a tool of the agent', () => {
    const call = Conversation.opened({ speculates: false }).says(menu, 2_000, 3_000).at(3_800);
    call.replies(3_900, '', tool('press_digits', { digits: '1' }));
    expect([call.state.navigation.at, call.last('call_tool').call.name]).toEqual(['nowhere', 'press_digits']);
  });
});

describe('languages with navigation', () => {
  const sentences: Readonly<Record<string, { menus: string[]; queues: string[]; people: string[] }>> = {
    en: {
      menus: [
        'For sales, press one.',
        'Press 2 for support',
        'Enter your number followed by the pound key.',
        'press to for support',
        'to leave a message press free to speak to someone press era',
        'Please listen carefully, as our menu options have changed.',
      ],
      queues: [
        'Please hold, all of our agents are busy.',
        'You are caller number three.',
        'Your call is important to us.',
        'Your call will be answered in the order it was received.',
        'We are experiencing a higher than normal volume of calls.',
      ],
      people: [
        'Hello, this is Anna.',
        'One moment.',
        'He has a press conference.',
        'I have two of them. Press on!',
        'The press went to his house.',
        'They pressed for an answer.',
      ],
    },
    de: {
      menus: ['Für den Verkauf drücken Sie bitte die Eins.', 'Bitte wählen Sie 2.', 'Für Fragen die 3 drücken.'],
      queues: ['Bitte warten Sie, alle unsere Mitarbeiter sind im Gespräch.', 'Bitte bleiben Sie am Apparat.'],
      people: ['Müller, guten Tag.', 'Einen Moment bitte.'],
    },
    fr: {
      menus: ['Pour le service commercial, appuyez sur le un.', 'Tapez 2.'],
      queues: ['Veuillez patienter.', 'Ne quittez pas, tous nos conseillers sont occupés.'],
      people: ['Allô, bonjour ?', 'Un instant.'],
    },
    es: {
      menus: ['Para ventas, pulse uno.', 'Marque el 2.'],
      queues: ['Por favor, espere.', 'No cuelgue, todos nuestros agentes están ocupados.'],
      people: ['¿Dígame?', 'Un momento.'],
    },
    it: {
      menus: ['Per le vendite, prema uno.', 'Digiti 2.'],
      queues: ['Attendere prego.', 'Resti in linea.'],
      people: ['Pronto, chi parla?', 'Un attimo.'],
    },
    nl: {
      menus: ['Voor verkoop, toets één.', 'Druk op 2.', 'Voor verkoop kies 1.'],
      queues: ['Een ogenblik geduld, alstublieft.', 'Blijft u aan de lijn.'],
      people: ['Met Jansen.', 'Momentje.'],
    },
    pt: {
      menus: ['Para vendas, pressione um.', 'Digite 2.'],
      queues: ['Por favor, aguarde.', 'Não desligue.'],
      people: ['Alô, quem fala?', 'Um momento.'],
    },
    ru: {
      menus: ['Чтобы связаться с отделом продаж, нажмите один.', 'Наберите 2.'],
      queues: ['Пожалуйста, подождите.', 'Оставайтесь на линии.'],
      people: ['Алло, слушаю.', 'Минуту.'],
    },
    pl: {
      menus: ['Aby połączyć się ze sprzedażą, naciśnij jeden.', 'Wybierz 2.', 'Proszę nacisnąć dwójkę.'],
      queues: ['Proszę czekać.', 'Proszę pozostać na linii.'],
      people: ['Słucham?', 'Chwileczkę.'],
    },
  };

  it('are nine, of which English was checked with speech', () => {
    expect(languagePacks.map(({ language }) => language).sort()).toEqual(Object.keys(sentences).sort());
    expect(languagePacks.flatMap(({ checked, language }) => (checked === 'speech' ? language : []))).toEqual(['en']);
  });

  it.each(Object.keys(sentences))('%s: distinguishes menus, queues and people', (language) => {
    const pack = languagePack(`${language}-XX`);
    const { menus = [], queues = [], people = [] } = sentences[language] ?? {};
    const judged = (text: string) => [text, pack?.isMenu(text), pack?.isQueue(text)];
    expect(menus.map(judged)).toEqual(menus.map((text) => [text, true, false]));
    expect(queues.map(judged)).toEqual(queues.map((text) => [text, false, true]));
    expect(people.map(judged)).toEqual(people.map((text) => [text, false, false]));
  });

  it.each(languagePacks.map(({ language }) => language))(
    '%s: a menu in a call in that language is detected',
    (language) => {
      const text = sentences[language]?.menus[0] ?? '';
      const call = navigating({ language }).says(text, 2_000, 3_000);
      expect(call.state.navigation.at).toBe('menu');
      expect(navigating({ language: 'sv' }).says(text, 2_000, 3_000).state.navigation.at).toBe('nowhere');
    },
  );
});
