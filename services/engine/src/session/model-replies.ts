import type { Logger } from '@parley/runtime';
import type { LanguageModel, ModelMessage, ModelRequest, ModelTool, ProviderErrorCode } from '@parley/providers';
import { ProviderError } from '@parley/providers';
import type { Refusal } from '../core/inputs';
import type { OnModelInput, Replies, StartModel } from './replies';

export interface ModelRepliesOptions {
  readonly model: LanguageModel;
  readonly name: string | undefined;
  readonly options: ModelRequest['options'];
  readonly systemPrompt: string;
  /** The tools that the model may call. */
  readonly tools: readonly ModelTool[];
  /** The prefix of tool call ids in this call. */
  readonly callId: string;
  readonly onInput: OnModelInput;
  /** Called if an attempt failed. */
  readonly onFailure: (attempt: number, error: ProviderError) => void;
  /** Used while an attempt runs; see `CallClock.hold`. */
  readonly hold: () => () => void;
  readonly log: Logger;
}

const names = new Intl.DisplayNames('en', { type: 'language' });

/** What tells the model the language of the call; empty if it does not change. */
function spokenIn(language: string | undefined): string {
  if (language === undefined) return '';
  const [code = ''] = language.split(/[-_]/);
  // Stored codes need not be such that a name exists.
  const name = /^[a-z]{2,3}$/i.test(code) ? names.of(code) : language;
  return `The caller speaks ${name} (${language}). Reply in that language.`;
}

/** Failures that another request with other words may avoid. */
const refusals: Partial<Record<ProviderErrorCode, Refusal>> = {
  empty_answer: 'empty',
  content_filtered: 'filtered',
  invalid_request: 'invalid',
};

/** Runs numbered attempts at a reply. Each has its own abort controller, so that nothing of a canceled attempt keeps running. */
export class ModelReplies implements Replies {
  private readonly running = new Map<number, AbortController>();

  constructor(private readonly options: ModelRepliesOptions) {}

  start(attempt: StartModel): void {
    const controller = new AbortController();
    this.running.set(attempt.attempt, controller);
    const release = this.options.hold();
    this.generate(attempt, controller.signal)
      .catch((error: unknown) => this.failed(attempt.attempt, controller.signal, error))
      .finally(() => {
        this.running.delete(attempt.attempt);
        release();
      });
  }

  cancel(attempt: number): void {
    this.running.get(attempt)?.abort();
  }

  end(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  private async generate({ attempt, history, mayCallTools, language }: StartModel, signal: AbortSignal): Promise<void> {
    const { model, name, options, systemPrompt, tools, callId, onInput } = this.options;
    const messages: ModelMessage[] = [
      ...[systemPrompt, spokenIn(language)].flatMap((text) => (text === '' ? [] : ({ role: 'system', text } as const))),
      ...history,
    ];
    const request = { model: name, messages, tools: mayCallTools ? tools : [], options };
    let calls = 0;
    for await (const event of model.generate(request, signal)) {
      if (signal.aborted) return;
      if (event.type === 'delta') onInput({ type: 'model_delta', attempt, text: event.text });
      else if (event.type === 'tool_call') {
        calls += 1;
        // Servers number the tool calls in each reply from the start, but an id must be unique in the whole call.
        const id = `${callId}_${attempt}_${calls}`;
        onInput({ type: 'model_tool_call', attempt, call: { ...event.call, id } });
      } else onInput({ type: 'model_done', attempt });
    }
  }

  private failed(attempt: number, signal: AbortSignal, error: unknown): void {
    if (signal.aborted) return;
    this.options.log.warn({ err: error, attempt }, 'the model failed');
    const failure =
      error instanceof ProviderError ? error : new ProviderError('none', 'invalid_answer', 'an unexpected error');
    this.options.onFailure(attempt, failure);
    const refused = refusals[failure.code];
    this.options.onInput({
      ...{ type: 'model_failed', attempt, retry: failure.mayFallBack },
      ...(refused === undefined ? {} : { refused }),
    });
  }
}
