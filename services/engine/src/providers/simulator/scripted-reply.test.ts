import type { TranscriptTurn } from '@parley/contract';
import { scriptedReply, type ReplyRequest } from './scripted-reply';

const turn = (speaker: TranscriptTurn['speaker'], text: string): TranscriptTurn => ({
  speaker,
  text,
  started_ms: 0,
  ended_ms: 0,
});
const request = (change: Partial<ReplyRequest>): ReplyRequest => ({
  systemPrompt: 'Be kind.',
  tools: [],
  said: [],
  ...change,
});
const endCall = { type: 'builtin', name: 'end_call' } as ReplyRequest['tools'][number];

describe('the simulator model', () => {
  it('quotes the prompt and the caller, always identically', () => {
    const said = [turn('agent', 'Hi.'), turn('caller', 'Who is calling?')];
    const reply = scriptedReply(request({ said }));
    expect(reply).toEqual({ text: 'You said: Who is calling? My instructions begin: Be kind.', endsCall: false });
    expect(scriptedReply(request({ said }))).toEqual(reply);
    expect(scriptedReply(request({ said, systemPrompt: 'Be brief.' })).text).not.toBe(reply.text);
  });

  it.each([
    [12, false],
    [13, true],
  ])('quotes a prompt of %i words with an ellipsis: %s', (words, cut) => {
    const systemPrompt = Array.from({ length: words }, (_, index) => `w${index}`).join(' ');
    const { text } = scriptedReply(request({ systemPrompt }));
    expect(text.endsWith('...')).toBe(cut);
    expect(text).toContain('w11');
    expect(text).not.toContain('w12');
  });

  it.each<[string, ReplyRequest['tools'], boolean]>([
    ['Goodbye.', [endCall], true],
    ['Goodbye.', [], false],
    ['Goodbyes are hard.', [endCall], false],
  ])('ends the call after %j with the tools %j: %s', (text, tools, endsCall) => {
    expect(scriptedReply(request({ tools, said: [turn('caller', text)] })).endsCall).toBe(endsCall);
  });

  it.each([
    [39, false],
    [40, true],
  ])('ends the call after %i turns of the agent: %s', (turns, endsCall) => {
    const said = [...Array.from({ length: turns }, () => turn('agent', 'x')), turn('caller', 'And?')];
    expect(scriptedReply(request({ said })).endsCall).toBe(endsCall);
  });
});
