import { outsideLanguage, OutsidePieces, outsideText } from '@parley/contract';
import { Thoughts } from '@parley/speech';
import type { StreamingAdapter } from './adapter';
import type { LanguageModel, ModelEvent } from './language-model';
import type { Transcriber, TranscriptionEvent } from './transcriber';

/**
 * The maximum lengths of what a provider may write, in UTF-16 units. A reply is cut there: it is more than the longest call can speak, and a server that writes
 * without end would fill the memory of this process.
 */
export const mostWritten = { reply: 32 * 1024, segment: 8 * 1024, toolName: 256, toolArguments: 64 * 1024 } as const;

/** The same adapter, whose texts pass the border. Every adapter of a provider is used through this. */
export function bordered(adapter: StreamingAdapter): StreamingAdapter {
  const { model, transcriber } = adapter;
  return {
    ...adapter,
    ...(model && { model: (account) => modelBehindBorder(model(account)) }),
    ...(transcriber && { transcriber: (account, name) => transcriberBehindBorder(transcriber(account, name)) }),
  };
}

function modelBehindBorder(model: LanguageModel): LanguageModel {
  return {
    capabilities: model.capabilities,
    async *generate(request, signal) {
      const pieces = new OutsidePieces(mostWritten.reply);
      const thoughts = new Thoughts();
      const delta = function* (text: string): Iterable<ModelEvent> {
        if (text !== '') yield { type: 'delta', text };
      };
      for await (const event of model.generate(request, signal)) {
        if (event.type === 'delta') {
          yield* delta(thoughts.read(pieces.read(event.text)));
          if (!pieces.isFull) continue;
          yield* delta(thoughts.end());
          yield { type: 'done', finishReason: 'length' };
          return;
        }
        if (event.type === 'done') yield* delta(thoughts.read(pieces.end()) + thoughts.end());
        yield event.type === 'done' ? event : { type: 'tool_call', call: callOf(event.call) };
      }
    },
  };
}

function callOf({ id, name, arguments: written }: Extract<ModelEvent, { type: 'tool_call' }>['call']) {
  const text = outsideText(written, mostWritten.toolArguments);
  return {
    id: outsideText(id, mostWritten.toolName),
    name: outsideText(name, mostWritten.toolName),
    // Some servers write nothing or null if a tool has no arguments.
    arguments: /^\s*(?:null)?\s*$/.test(text) ? '{}' : text,
  };
}

const transcriberBehindBorder = ({ capabilities, open }: Transcriber): Transcriber => ({
  capabilities,
  open: (options, onEvent, signal) => open(options, (event) => onEvent(recognized(event)), signal),
});

function recognized(event: TranscriptionEvent): TranscriptionEvent {
  if (event.type === 'partial') return { ...event, text: outsideText(event.text, mostWritten.segment) };
  if (event.type !== 'final') return event;
  const { language: reported, ...others } = event;
  const language = outsideLanguage(reported);
  const text = outsideText(event.text, mostWritten.segment);
  return { ...others, text, ...(language === undefined ? {} : { language }) };
}
