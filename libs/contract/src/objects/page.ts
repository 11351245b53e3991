import { IsInt, Max, Min } from 'class-validator';
import { limits } from '../limits';
import type { Class } from '../rules/class-facts';
import { Text } from '../rules/constraints';
import { Default, Describe, DescribeObject, ListOf, Nullable, Optional, Required } from '../rules/decorators';

@DescribeObject(
  "What every route takes in its query: the caller's own organization is ignored there, a foreign one is 403.",
)
export class RouteQuery {
  @Optional() @Text({ min: 1, max: 64 }) organization_id?: string;
}

@DescribeObject('What every list takes.')
export class ListQuery extends RouteQuery {
  @Optional()
  @IsInt()
  @Min(limits.pageSize.min)
  @Max(limits.pageSize.max)
  @Default(limits.pageSizeDefault)
  limit!: number;
  @Optional() @Text({ min: 1, max: 1024 }) @Describe('next_cursor of the previous page.') cursor?: string;
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
export function pageOf<T extends object>(item: Class<T>): Class<Page<T>> {
  class PageClass implements Page<T> {
    data!: T[];
    next_cursor!: string | null;
  }
  const { prototype } = PageClass;
  for (const decorate of [Required(), ListOf(() => item)]) decorate(prototype, 'data');
  for (const decorate of [Required(), Nullable(), Text({ max: 1024 })]) decorate(prototype, 'next_cursor');
  Object.defineProperty(PageClass, 'name', { value: `${item.name}Page` });
  return PageClass;
}
