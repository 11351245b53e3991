import { isDeepStrictEqual } from 'node:util';
import type { Api } from '../api';
import { type Answer } from '../api';
import type { Customer } from '../customer';
import type { Json, Row } from './row';

/** Tests the rows of a table with requests to the routes of agents, several rows concurrently. */
export class Examiner {
  constructor(
    private readonly customer: Customer,
    /** The project for creations that have to be refused: it must stay empty. */
    readonly emptyProjectId: string,
  ) {}

  get api(): Api {
    return this.customer.api;
  }

  /** Returns the rows whose result differs from the expected one. */
  async reportedErrors(rows: readonly Row[]): Promise<readonly string[]> {
    const refusals = Map.groupBy(
      rows.filter((row) => row.refused !== undefined && row.via !== 'create'),
      ({ created, given }) => JSON.stringify([created, given]),
    );
    const others = rows.filter((row) => row.refused === undefined || row.via === 'create');
    const jobs = [
      ...[...refusals.values()].map((group) => () => this.checkRefusals(group)),
      ...others.map((row) => async () => named(row, await this.checkRow(row))),
    ];
    return (await inTurns(jobs)).flat();
  }

  /** Creates an agent; adds the required fields. */
  async create(body: Json = {}, projectId: string = this.customer.projectId): Promise<Answer> {
    const { organizationId } = this.customer;
    return this.api.post('/v1/agents', {
      organization_id: organizationId,
      project_id: projectId,
      mode: 'hosted',
      ...body,
    });
  }

  async agent(created: Json = {}, given?: Json): Promise<string> {
    const answer = await this.create(created);
    if (answer.status !== 201) throw new Error(`the agent was not created: ${JSON.stringify(answer.body)}`);
    const agentId = String(answer.body.agent_id);
    if (given === undefined) return agentId;
    const { status, body } = await this.api.patch(`/v1/agents/${agentId}/voice-stack`, given);
    if (status !== 200) throw new Error(`what the row begins with was not saved: ${JSON.stringify(body)}`);
    return agentId;
  }

  /** Returns both reads of an agent with their ETags. */
  async reads(agentId: string): Promise<{ agent: Json; stack: Json; etag: string | undefined }> {
    const [agent, stack] = [
      await this.api.get(`/v1/agents/${agentId}`),
      await this.api.get(`/v1/agents/${agentId}/voice-stack`),
    ];
    return { agent: agent.body, stack: stack.body, etag: stack.headers['etag'] };
  }

  /** Sends rows with the same initial state to one agent, one after the other. All must be refused and leave the agent unchanged. */
  private async checkRefusals(rows: readonly Row[]): Promise<readonly string[]> {
    const [first] = rows;
    const agentId = await this.agent(first?.created, first?.given);
    const before = await this.reads(agentId);
    const mismatches = await inTurns(
      rows.map((row) => async () => named(row, refusalMismatch(row.refused, await this.ask(agentId, row)))),
    );
    const unchanged = isDeepStrictEqual(before, await this.reads(agentId));
    return unchanged
      ? mismatches.flat()
      : [...mismatches.flat(), `something changed by one of: ${rows.map(({ what }) => what).join('; ')}`];
  }

  private async checkRow(row: Row): Promise<string | undefined> {
    if (row.via === 'create') return this.checkCreation(row);
    const agentId = await this.agent(row.created, row.given);
    const answer = await this.ask(agentId, row);
    return acceptanceMismatch(row, 200, answer, await this.reads(agentId));
  }

  private async ask(agentId: string, { via, send }: Row): Promise<Answer> {
    return this.api.patch(`/v1/agents/${agentId}${via === 'save' ? '/voice-stack' : ''}`, send);
  }

  private async checkCreation(row: Row): Promise<string | undefined> {
    if (row.refused !== undefined)
      return refusalMismatch(row.refused, await this.create(row.send, this.emptyProjectId));
    const answer = await this.create(row.send);
    if (answer.status !== 201) return `${answer.status} ${JSON.stringify(answer.body)}`;
    return acceptanceMismatch(row, 201, answer, await this.reads(String(answer.body.agent_id)));
  }
}

const named = ({ what }: Row, mismatch: string | undefined): readonly string[] =>
  mismatch === undefined ? [] : [`${what}: ${mismatch}`];

/** Runs at most eight jobs at the same time. */
async function inTurns<T>(jobs: readonly (() => Promise<T>)[]): Promise<readonly T[]> {
  const results: T[] = [];
  const left = jobs.values();
  const work = async (): Promise<void> => {
    for (const job of left) results.push(await job());
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return results;
}

function refusalMismatch(expected: Row['refused'] = { names: '' }, { status, body }: Answer): string | undefined {
  if (status !== (expected.status ?? 400) || body.error !== (expected.code ?? 'BadRequestError'))
    return `${status} ${JSON.stringify(body).slice(0, 300)}`;
  return String(body.message).includes(expected.names)
    ? undefined
    : `${String(body.message)} does not name ${expected.names}`;
}

function acceptanceMismatch(
  { via, shows = [] }: Row,
  status: number,
  answer: Answer,
  reads: { agent: Json; stack: Json },
): string | undefined {
  if (answer.status !== status) return `${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
  if (via === 'save' && !isDeepStrictEqual(withoutTools(answer.body), reads.stack))
    return 'the answer is not what a read shows';
  const wrong = shows.find(([path, value]) => !isDeepStrictEqual(valueAt(reads, path), value));
  return wrong === undefined
    ? undefined
    : `${wrong[0]} reads ${String(JSON.stringify(valueAt(reads, wrong[0]))).slice(0, 300)}`;
}

/** The response of a save contains tools only if it contains a new secret, which is shown once. */
const withoutTools = ({ tools: _tools, ...rest }: Json): Json => rest;

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? (at as Json)[name] : undefined), value);
}
