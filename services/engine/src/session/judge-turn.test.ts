import { Conversation } from '../../test/conversation';
import { judgeTurn } from './judge-turn';

const speaking = () => Conversation.opened().at(2_000, { type: 'speech_started', since: 2_000 });

describe('the turn detector of a call', () => {
  it('judges all words of the turn, not those of the last segment', () => {
    const call = speaking();
    call.at(2_400, call.final('I would like'));
    const added = judgeTurn(call.state, call.final('to book a table for'));
    expect(added).toMatchObject({ type: 'final', text: 'to book a table for' });
    expect((added as { judged: number }).judged).toBeLessThan(0.5);
    const whole = judgeTurn(call.state, call.partial('to book a table for four people'));
    expect((whole as { judged: number }).judged).toBeGreaterThanOrEqual(0.5);
  });

  it('replaces the partial result of the same segment', () => {
    const call = speaking();
    call.at(2_400, call.partial('book a table for four people and'));
    const judged = judgeTurn(call.state, call.final('book a table for four people'));
    expect((judged as { judged: number }).judged).toBeGreaterThanOrEqual(0.5);
  });

  it('leaves every other input as it is, and words of a language that it does not know', () => {
    const call = speaking();
    const hint = { type: 'turn_hint', finished: 0.3 } as const;
    expect(judgeTurn(call.state, hint)).toBe(hint);
    const words = call.final('haluaisin varata');
    expect(judgeTurn({ ...call.state, language: 'fi-FI' }, words)).toBe(words);
  });
});
