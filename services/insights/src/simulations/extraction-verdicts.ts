import { isDeepStrictEqual } from 'node:util';
import type { SimulationConversation, SimulationScenario, SimulationVerdict } from '@parley/contract';
import { serviceCaller, type CallContext } from '@parley/runtime';
import { runModelExtraction, type StoredConfiguration } from '../extraction';
import type { SimulationDependencies } from './dependencies';
import type { RunRow } from './runs.sql';

interface Judging {
  readonly run: Pick<RunRow, 'organization_id' | 'agent_id' | 'publication_sha256' | 'extraction'>;
  readonly scenario: SimulationScenario;
  readonly conversation: SimulationConversation;
  readonly context: CallContext;
}

/** Returns verdicts for assertions about extracted data. The data is extracted from the conversation as from a call. */
export async function extractionVerdicts(
  { extraction }: SimulationDependencies,
  { run, scenario, conversation, context }: Judging,
): Promise<SimulationVerdict[]> {
  const wanted = scenario.assertions.flatMap((assertion, position) =>
    assertion.type === 'extraction_equals' ? [{ ...assertion, position }] : [],
  );
  if (wanted.length === 0 || run.extraction === null) return [];
  const { extracted, failure } = await runModelExtraction(
    extraction,
    JSON.parse(run.extraction) as StoredConfiguration,
    {
      organizationId: run.organization_id,
      agentId: run.agent_id,
      transcript: { language: scenario.language ?? '', turns: [...conversation.turns] },
      publicationSha256: run.publication_sha256,
      endedReason: conversation.ended_reason,
      context: { ...context, caller: serviceCaller },
    },
  );
  return wanted.map(({ position, path = '', value }) => {
    if (extracted === undefined) return { assertion: position, passed: false, detail: `extraction failed: ${failure}` };
    const found = valueAt(extracted.data, path);
    const passed = isDeepStrictEqual(found, value);
    return { assertion: position, passed, detail: passed ? '' : `${path} is ${JSON.stringify(found) ?? 'absent'}` };
  });
}

const valueAt = (data: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
      data,
    );
