import type { SimulationStub, ToolOutcomeName } from '@parley/contract';
import type { ToolCallRequest, ToolOutcome, ToolRunner } from '../tools/tool-call';

/** Returns the stubs of the scenario for tool calls. No request is sent, and no tool runs. */
export class StubbedTools implements ToolRunner {
  constructor(private readonly stubs: readonly SimulationStub[]) {}

  run({ toolCallId, name, arguments: given }: ToolCallRequest): Promise<ToolOutcome> {
    const stub = this.stubs.find((one) => one.name === name);
    const outcome: ToolOutcomeName = stub === undefined ? 'unavailable' : (stub.outcome ?? 'succeeded');
    const result = stub?.result ?? 'the scenario has no stub for this tool';
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    const entry = { tool_call_id: toolCallId, name, arguments: parsed(given), result: text, outcome, duration_ms: 0 };
    return Promise.resolve({ outcome, text, entry });
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
