import { IsBoolean, IsIn } from 'class-validator';
import { limits } from '../limits';
import { factsOf, ownField, type Class } from '../rules/class-facts';
import { IntWithin, Text } from '../rules/constraints';
import { Default, Describe, DescribeObject, ListOf, Nullable, Optional, Required } from '../rules/decorators';

@DescribeObject(
  "What every route takes in its query: the caller's own organization is ignored there, a foreign one is 403.",
)
export class RouteQuery {
  @Optional() @Text({ min: 1, max: 64 }) organization_id?: string;
}

@DescribeObject('What every list takes.')
export class ListQuery extends RouteQuery {
  @Optional() @IntWithin(limits.pageSize) @Default(limits.pageSizeDefault) limit!: number;
  @Optional() @Text({ min: 1, max: 1024 }) @Describe('The previous next_cursor.') cursor?: string;
}

/** The decorators of the `summary` parameter of lists whose records are large. */
export function Summary(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [
      Optional(),
      IsBoolean(),
      Default(false),
      Describe('True: short records; read one by its id.'),
    ])
      decorate(prototype, name);
  };
}

/** The orders of a list: newest first, or oldest first. */
export type ListOrder = '-created_at' | 'created_at';

/** The decorators of the `sort` parameter. */
export function Sort(): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of [
      Optional(),
      IsIn(['-created_at', 'created_at'] satisfies ListOrder[]),
      Default('-created_at'),
      Describe('Newest or oldest first; a cursor keeps its order.'),
    ])
      decorate(prototype, name);
  };
}

@DescribeObject('A list of things that live in a project.')
export class ProjectListQuery extends ListQuery {
  @Optional() @Text({ min: 1, max: 64 }) project_id?: string;
}

/** A page of a list, newest first. If the cursor is null, the list ends with this page. */
export interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** The class of a page with records of the given class. */
export function pageOf<T extends object>(item: Class<T>, name = `${item.name}Page`): Class<Page<T>> {
  class PageClass implements Page<T> {
    data!: T[];
    next_cursor!: string | null;
  }
  const { prototype } = PageClass;
  for (const decorate of [Required(), ListOf(() => item)]) decorate(prototype, 'data');
  for (const decorate of [Required(), Nullable(), Text({ max: 1024 })]) decorate(prototype, 'next_cursor');
  Object.defineProperty(PageClass, 'name', { value: name });
  return PageClass;
}

/** The class of a record as lists show it: of a summary these fields alone, else all of them. */
export function listedOf<T extends object, Name extends keyof T & string>(
  record: Class<T>,
  name: string,
  inSummary: readonly Name[],
): Class<Pick<T, Name> & Partial<T>> {
  const Listed = class extends (record as Class) {} as Class<T>;
  for (const field of factsOf(record).fields.keys())
    if (!inSummary.some((one) => one === field)) ownField(Listed.prototype as object, field).presence = 'optional';
  DescribeObject('As its own read shows it; with `summary=true` only the fields that are always there.')(Listed);
  Object.defineProperty(Listed, 'name', { value: name });
  return Listed;
}

/** The JSON of a record in a list. */
export function renderListed(record: object, inSummary: readonly string[] | undefined): string {
  if (inSummary === undefined) return JSON.stringify(record);
  return JSON.stringify(Object.fromEntries(Object.entries(record).filter(([name]) => inSummary.includes(name))));
}
