import type { Queryable } from '@parley/runtime';

export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): readonly PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Number of rows that a step of a statement has returned or discarded. */
export const rowsOf = (node: PlanNode): number =>
  node['Actual Loops'] *
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0));

/** Runs the statements that `work` sends, and returns the steps of their plans. */
export async function explained(db: Queryable, work: (db: Queryable) => Promise<unknown>): Promise<PlanNode[]> {
  const nodes: PlanNode[] = [];
  await work({
    query: async <Row>({ text, values = [] }: Parameters<Queryable['query']>[0]) => {
      const { rows } = await db.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>({
        text: `explain (analyze, timing off, format json) ${text}`,
        values,
      });
      nodes.push(...rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan))));
      return db.query<Row>({ text, values });
    },
  });
  return nodes;
}
