import { optChangeOf } from './opt-out.rules';

describe('opt-out words', () => {
  it.each([
    'STOP',
    'stop',
    ' Stop. ',
    '"STOP"',
    'stop all',
    'STOPALL',
    'Unsubscribe',
    'cancel',
    'END',
    'Quit!',
    'opt-out',
  ])('%j is an opt-out', (body) => expect(optChangeOf(body)).toBe('out'));

  it.each(['стоп', 'arrêt', 'Arre\u0302t', 'BAJA', 'abmelden', '停止', 'הסר'])(
    '%j is an opt-out in another language',
    (body) => expect(optChangeOf(body)).toBe('out'),
  );

  it.each(['START', 'unstop', 'Yes'])('%j is an opt-in', (body) => expect(optChangeOf(body)).toBe('in'));

  it.each(['', '?', 'please stop calling', 'the bus stop', 'end of story', 'STOPS', 'yesterday'])(
    '%j is neither opt-out nor opt-in',
    (body) => expect(optChangeOf(body)).toBeUndefined(),
  );
});
