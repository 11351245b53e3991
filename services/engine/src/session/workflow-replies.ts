import type { WorkflowDefinition } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import { keyRulesOf, type KeyRules } from '../core/plan';
import { workflowReply, type WorkflowPlace } from '../core/workflow-reply';
import type { OnModelInput, Replies, StartModel } from './replies';

export interface WorkflowRepliesOptions {
  readonly definition: WorkflowDefinition;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly callId: string;
  /** How keys are collected where a question has no rule of its own. */
  readonly keys: KeyRules;
  readonly onInput: OnModelInput;
  readonly log: Logger;
}

/**
 * Uses a workflow instead of a model. The position in the workflow changes only when a reply is accepted, so a reply that the caller interrupts leaves it
 * unchanged.
 */
export class WorkflowReplies implements Replies {
  private place: WorkflowPlace;
  private wanted = 0;

  constructor(private readonly options: WorkflowRepliesOptions) {
    this.place = { asked: null, variables: options.variables };
  }

  start(attempt: StartModel): void {
    this.wanted = attempt.attempt;
    // Asynchronous, because an input must not arrive while the effects of another one are performed.
    queueMicrotask(() => {
      if (this.wanted === attempt.attempt) this.reply(attempt);
    });
  }

  cancel(attempt: number): void {
    if (this.wanted === attempt) this.wanted = 0;
  }

  end(): void {
    this.wanted = 0;
  }

  private reply({ attempt, history }: StartModel): void {
    const { definition, callId, onInput, log } = this.options;
    const since = history.findLastIndex(({ role }) => role !== 'user');
    const heard = history.slice(since + 1).map(({ text }) => pressedIn(text) ?? text);
    try {
      const { place, text, call, endsCall, keys } = workflowReply(definition, this.place, heard.join(' '));
      this.place = place;
      if (text !== '') onInput({ type: 'model_delta', attempt, text });
      const id = `${callId}_${attempt}_1`;
      if (call !== undefined)
        onInput({
          type: 'model_tool_call',
          attempt,
          call: { id, name: call.name, arguments: JSON.stringify(call.arguments) },
        });
      else if (endsCall) onInput({ type: 'model_tool_call', attempt, call: { id, name: 'end_call', arguments: '{}' } });
      onInput({ type: 'model_done', attempt, ...(keys && { keys: keyRulesOf(keys, this.options.keys) }) });
    } catch (error) {
      log.error({ err: error }, 'a workflow could not continue');
      onInput({ type: 'model_failed', attempt, retry: false });
    }
  }
}

/** The keys of a turn without the one that ended it; undefined if it was spoken. */
const pressedIn = (text: string): string | undefined => /^\[keys pressed: (.+?)[#*]?\]$/.exec(text)?.[1];
