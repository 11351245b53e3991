/** Suites as files next to agents: `suites/<name>.yaml` with `agent` (the name of a file in agents/, or an id), `name` and `scenarios`. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { items, type Parley, type SimulationScenario, type SimulationSuite } from '@parley/sdk';
import { parse } from 'yaml';
import { agentIdOf } from '../agents/files.js';
import { Failure } from '../failure.js';
import { note } from '../output.js';

/** A suite as requested: by id, or by file. */
export type AskedSuite = { readonly id: string } | { readonly file: string };

/** Resolves the requested suites: ids are kept, a folder stands for the files in it, and without any, `suites` is used. */
export function askedSuites(folder: string, asked: readonly string[]): AskedSuite[] {
  const named = asked.length > 0 ? asked : [path.join(folder, 'suites')];
  const found = named.flatMap((one): AskedSuite[] => {
    if (/^sim_[0-9a-z]+$/.test(one)) return [{ id: one }];
    if (!existsSync(one)) throw new Failure('usage', `${one} is neither a suite's id nor a file`);
    if (!statSync(one).isDirectory()) return [{ file: one }];
    return readdirSync(one)
      .filter((name) => /\.ya?ml$/.test(name))
      .sort()
      .map((name) => ({ file: path.join(one, name) }));
  });
  if (found.length === 0) throw new Failure('usage', `there is no suite in ${named.join(', ')}`);
  return found;
}

interface SuiteFile {
  readonly agent: string;
  readonly name: string;
  readonly scenarios: SimulationScenario[];
}

function parseSuite(file: string): SuiteFile {
  let read: unknown;
  try {
    read = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure('usage', `${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const fields: Partial<Record<string, unknown>> = typeof read === 'object' && read !== null ? { ...read } : {};
  const { agent, name = path.parse(file).name, scenarios } = fields;
  const missing = [
    ...(typeof agent === 'string' ? [] : ['agent: the name of a file in agents/, or an id']),
    ...(typeof name === 'string' ? [] : ['name: a text']),
    ...(Array.isArray(scenarios) ? [] : ['scenarios: a list']),
  ];
  if (missing.length > 0) throw new Failure('usage', `${file} lacks ${missing.join('; ')}`);
  // The platform validates the scenarios.
  return { agent, name, scenarios } as SuiteFile;
}

/**
 * Returns the suite that is run. The suite of a file is found by its agent and name, or created, and gets the scenarios of the file. If they are already equal,
 * it is not written.
 */
export async function resolveSuite(
  parley: Parley,
  asked: AskedSuite,
  { folder, environment }: { folder: string; environment: string },
): Promise<SimulationSuite> {
  const suites = parley.simulationSuites;
  if ('id' in asked) return suites.getSimulationSuite({ path: { simulation_suite_id: asked.id } });
  const { agent, name, scenarios } = parseSuite(asked.file);
  const agentId = agentIdOf(agent, folder, environment, `${asked.file}: `);
  // The list begins with the newest: the oldest suite is used, so that two that were created at the same time do not diverge.
  let found: SimulationSuite | undefined;
  for await (const one of items((cursor) => suites.listSimulationSuites({ query: { cursor, limit: 100 } })))
    if (one.agent_id === agentId && one.name === name) found = one;
  if (found === undefined) {
    note(`${asked.file}: creating the suite ${name}`);
    const { organization_id, project_id } = await parley.agents.getAgent({ path: { agent_id: agentId } });
    return suites.createSimulationSuite({ body: { organization_id, project_id, agent_id: agentId, name, scenarios } });
  }
  if (isDeepStrictEqual(found.scenarios, scenarios)) return found;
  note(`${asked.file}: writing the scenarios of the suite ${name}`);
  const where = { path: { simulation_suite_id: found.simulation_suite_id } };
  return parley.change(
    (options) => suites.getSimulationSuite({ ...where, ...options }),
    (_, options) => suites.updateSimulationSuite({ ...where, body: { scenarios }, ...options }),
  );
}
