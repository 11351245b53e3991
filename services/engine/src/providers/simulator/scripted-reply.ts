import type { AgentTool, TranscriptTurn } from '@parley/contract';
import { languagePack } from '../../core/languages/index';

/** The inputs of the simulator's model. */
export interface ReplyRequest {
  /** The prompt of the pinned publication, with variables replaced. */
  readonly systemPrompt: string;
  readonly tools: readonly AgentTool[];
  readonly said: readonly TranscriptTurn[];
  /** The navigation tools; empty if the call does not navigate. */
  readonly navigation?: readonly string[];
}

export interface Reply {
  readonly text: string;
  /** Whether the agent hangs up after saying it. */
  readonly endsCall: boolean;
  /** The keys to press in the phone menu that is speaking. */
  readonly press?: string;
}

const promptWords = 12;
/** The number of agent turns after which the simulated model ends the call, so that two machines do not talk forever. */
const mostAgentTurns = 40;

/**
 * The simulated model. The same publication and conversation always produce the same reply, which quotes the beginning of the prompt and the caller's last
 * words, so that it shows which publication a call has pinned.
 */
export function scriptedReply({ systemPrompt, tools, said, navigation = [] }: ReplyRequest): Reply {
  const caller = said.findLast(({ speaker }) => speaker === 'caller')?.text;
  const turns = said.filter(({ speaker }) => speaker === 'agent').length;
  const role = beginningOf(systemPrompt);
  if (turns >= mostAgentTurns) return { text: 'I have to go now. Goodbye.', endsCall: true };
  if (caller !== undefined && navigation.includes('press_digits') && languagePack('en')?.isMenu(caller) === true) {
    return { text: '', endsCall: false, press: '0' };
  }
  if (caller === undefined) return { text: `Hello. ${role}`, endsCall: false };
  if (/\bgood ?bye\b/i.test(caller) && mayEndCall(tools)) return { text: 'Goodbye.', endsCall: true };
  return { text: `You said: ${caller} ${role}`, endsCall: false };
}

function beginningOf(prompt: string): string {
  const words = prompt.split(/\s+/u).filter((word) => word !== '');
  if (words.length === 0) return 'I have no instructions.';
  const rest = words.length > promptWords ? ' ...' : '';
  return `My instructions begin: ${words.slice(0, promptWords).join(' ')}${rest}`;
}

const mayEndCall = (tools: readonly AgentTool[]): boolean =>
  tools.some((tool) => typeof tool === 'object' && tool.type === 'builtin' && tool.name === 'end_call');
