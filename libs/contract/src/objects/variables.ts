import { ArrayMaxSize, IsBoolean, IsIn, IsInt, Min, ValidateBy } from 'class-validator';
import { limits } from '../limits';
import type { TextBounds } from '../rules/class-facts';
import { Text } from '../rules/constraints';
import {
  Closed,
  Describe,
  DescribeObject,
  Ignores,
  ListOf,
  Nested,
  Optional,
  Required,
  Rule,
  Example,
} from '../rules/decorators';
import { WorkspaceNames } from './fields';

export const variableTypes = ['string', 'number', 'boolean', 'date'] as const;
export type VariableType = (typeof variableTypes)[number];

/** The name of a variable, used in texts as {{name}}. */
export const variableName: TextBounds = {
  min: 1,
  max: 64,
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  description: 'a name of letters, digits and "_"',
};

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a value has the type of a variable; a date has the format YYYY-MM-DD. */
export function isOfVariableType(value: unknown, type: VariableType): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return (
        typeof value === 'string' &&
        datePattern.test(value) &&
        new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
      );
  }
}

/** A string, number or boolean. */
export const Scalar = (): PropertyDecorator =>
  ValidateBy({
    name: 'scalar',
    constraints: [],
    validator: {
      validate: (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value),
      defaultMessage: () => '$property must be a string, a number or a boolean',
    },
  });

@DescribeObject('One variable of a prompt template, referenced as {{name}}.')
@Closed()
@Rule((value: AgentVariable) =>
  value.default !== undefined && !isOfVariableType(value.default, value.type)
    ? `default must be a ${value.type}`
    : undefined,
)
export class AgentVariable {
  @Required()
  @Text(variableName)
  name!: string;
  @Required() @IsIn(variableTypes) type!: VariableType;
  @Required() @IsBoolean() @Example(false) required!: boolean;
  @Optional() @Scalar() default?: string | number | boolean;
  @Optional() @IsBoolean() protected?: boolean;
  @Optional() @Text({ max: 500 }) description?: string;
}

@DescribeObject('Up to 64 variables, names unique.')
@Closed()
@Rule((value: VariablesConfig) => {
  const names = value.variables.map((variable) => variable.name);
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  return twice >= 0 ? `variables[${twice}].name is given twice: ${names[twice] ?? ''}` : undefined;
})
export class VariablesConfig {
  @Required() @ArrayMaxSize(limits.variables.max) @ListOf(() => AgentVariable) variables!: AgentVariable[];
}

@DescribeObject('A stale base_revision is revision_conflict; without it the last write wins.')
@Closed()
@Ignores('agent_id', 'revision', 'schema_hash', 'published_at')
export class AgentVariablesUpdate extends WorkspaceNames {
  @Required() @Nested(() => VariablesConfig) config!: VariablesConfig;
  @Optional() @IsInt() @Min(0) base_revision?: number;
}

@DescribeObject('AgentVariables: the read.')
export class AgentVariables {
  @Required() @Text() agent_id!: string;
  @Required() @Nested(() => VariablesConfig) config!: VariablesConfig;
  @Required() @IsInt() @Min(0) @Describe('The latest published version; 0 before the first publish.') revision!: number;
  @Required()
  @Text()
  @Describe('SHA-256 (hex) of the variable schema that a call admitted now would carry; empty when it carries none.')
  schema_hash!: string;
  @Required() @Text({ max: 40 }) @Describe('ISO 8601; empty before the first publication.') published_at!: string;
}
