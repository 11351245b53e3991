import { ArrayMaxSize, IsBoolean, IsIn } from 'class-validator';
import { limits } from '../limits';
import { Entries, IntWithin, Text } from '../rules/constraints';
import {
  Closed,
  Default,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Optional,
  Required,
  Rule,
} from '../rules/decorators';
import { WorkspaceNames } from './fields';
import { pageOf } from './page';
import { variableName, variableTypes, type VariableType } from './variables';

@DescribeObject('A place of a template that each message fills: {{name}}.')
@Closed()
export class TemplateSlot {
  @Required() @Text(variableName) name!: string;
  @Required() @IntWithin(limits.templateSlot) @Describe('Characters.') max_length!: number;
}

@DescribeObject('A variable of a template: {{name}}. A protected one is never taken from a request.')
@Closed()
export class TemplateVariable {
  @Required() @Text(variableName) name!: string;
  @Optional() @IsIn(variableTypes) @Default('string') type?: VariableType;
  @Required() @IsBoolean() required!: boolean;
  @Optional() @IsBoolean() protected?: boolean;
}

const texts = {
  maxEntries: limits.languages.max,
  key: limits.languageCode,
  value: limits.templateText,
};

/** The fields that creation and update share. */
class TemplateFields extends WorkspaceNames {
  @Optional() @ArrayMaxSize(limits.templateSlots.max) @ListOf(() => TemplateSlot) slots?: TemplateSlot[];
  @Optional() @ArrayMaxSize(limits.variables.max) @ListOf(() => TemplateVariable) variables?: TemplateVariable[];
}

const oneText = (value: { texts?: Readonly<Record<string, string>> }): string | undefined =>
  value.texts !== undefined && Object.keys(value.texts).length === 0
    ? 'texts must have at least one language'
    : undefined;

@DescribeObject('POST /v1/message-templates.')
@Rule(oneText)
@Ignores('template_id', 'created_at', 'updated_at')
export class MessageTemplateCreate extends TemplateFields {
  @Required() @Text({ min: 1, max: limits.name.max }) name!: string;
  @Required()
  @Entries(texts)
  @Example({ en: 'See you' })
  @Describe('By language code; {{name}} is a slot or a variable.')
  texts!: Record<string, string>;
}

@DescribeObject('Fields that are absent stay, those that are there replace.')
@Rule(oneText)
@Ignores('template_id', 'created_at', 'updated_at')
export class MessageTemplateUpdate extends TemplateFields {
  @Optional() @Text({ min: 1, max: limits.name.max }) @Example('Reminder') name?: string;
  @Optional() @Entries(texts) texts?: Record<string, string>;
}

@DescribeObject('A template as reads show it.')
export class MessageTemplate {
  @Required() @Text() template_id!: string;
  @Required() @Text() organization_id!: string;
  @Required() @Text() name!: string;
  @Required() @Entries(texts) texts!: Record<string, string>;
  @Required() @ListOf(() => TemplateSlot) slots!: TemplateSlot[];
  @Required() @ListOf(() => TemplateVariable) variables!: TemplateVariable[];
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

export const MessageTemplatePage = pageOf(MessageTemplate);
