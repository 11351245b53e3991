import { ArrayMaxSize, Equals, IsArray, IsBoolean, IsIn, IsInt, IsNumber, Max, Min } from 'class-validator';
import { limits } from '../limits';
import type { NestedFacts } from '../rules/class-facts';
import { IntWithin, JsonObjectWithin, Text } from '../rules/constraints';
import {
  Closed,
  Default,
  Describe,
  DescribeObject,
  Example,
  Ignores,
  ListOf,
  Nested,
  Nullable,
  Optional,
  Required,
  Secret,
} from '../rules/decorators';
import {
  storedTransferAddress,
  storedTransferWords,
  transferAnnouncement,
  transferAnnouncementWords,
  WorkspaceNames,
} from './fields';
import { RouteQuery } from './page';
import { KeyCollection } from './agent-settings';
import { toolName, transferKinds, type TransferKind } from './tools';
import { variableName } from './variables';

const nodeId = { min: 1, max: 64, pattern: /^[A-Za-z0-9_.-]+$/, description: 'of letters, digits, "_", "." and "-"' };
const spoken = { min: 1, max: limits.greeting.max };
const documentBytes = 16 * 1024;

@DescribeObject('Where a conversation begins: one of these in a workflow.')
@Closed()
export class StartNode {
  @Required() @Text(nodeId) id!: string;
  @Required() @Equals('start') type!: 'start';
}

@DescribeObject('The agent says a text; variables stand in it as {{name}}.')
@Closed()
export class SayNode {
  @Required() @Text(nodeId) id!: string;
  @Required() @Equals('say') type!: 'say';
  @Required() @Text(spoken) text!: string;
}

@DescribeObject("The agent asks, and keeps the caller's answer as a variable.")
@Closed()
export class AskNode {
  @Required() @Text(nodeId) id!: string;
  @Required() @Equals('ask') type!: 'ask';
  @Required() @Text(spoken) text!: string;
  @Required() @Text(variableName) variable!: string;
  @Optional()
  @Nested(() => KeyCollection)
  @Describe('For this answer, in place of the setting of the agent.')
  keys?: KeyCollection;
}

export const conditionOperators = ['equals', 'not_equals', 'contains', 'is_set', 'is_not_set'] as const;

@DescribeObject('Two ways on, by a variable: an edge with branch `yes` and one with branch `no`.')
@Closed()
export class ConditionNode {
  @Required() @Text(nodeId) id!: string;
  @Required() @Equals('condition') type!: 'condition';
  @Required() @Text(variableName) variable!: string;
  @Required() @IsIn(conditionOperators) operator!: (typeof conditionOperators)[number];
  @Optional() @Text({ max: 500 }) @Describe('The compared value; not used by is_set and is_not_set.') value?: string;
}

@DescribeObject('Runs a tool of the agent.')
@Closed()
export class ToolNode {
  @Required() @Text(nodeId) id!: string;
  @Required() @Equals('tool') type!: 'tool';
  @Required() @Text(toolName) tool!: string;
  @Optional() @JsonObjectWithin(documentBytes) arguments?: Record<string, unknown>;
}

@DescribeObject('Hands the call over.')
@Closed()
export class TransferNode {
  @Required() @Text(nodeId) id!: string;
  @Required() @Equals('transfer') type!: 'transfer';
  @Required() @Text(storedTransferAddress) @Describe(storedTransferWords) to!: string;
  @Optional() @IsIn(transferKinds) @Describe('`cold` unless it is sent.') kind?: TransferKind;
  @Optional() @Text(transferAnnouncement) @Describe(transferAnnouncementWords) announcement?: string;
}

@DescribeObject('Ends the call, after a last text where there is one.')
@Closed()
export class EndNode {
  @Required() @Text(nodeId) id!: string;
  @Required() @Equals('end') type!: 'end';
  @Optional() @Text(spoken) text?: string;
}

export type WorkflowNode = StartNode | SayNode | AskNode | ConditionNode | ToolNode | TransferNode | EndNode;

const nodeShape: NestedFacts['shape'] = {
  property: 'type',
  classes: {
    start: () => StartNode,
    say: () => SayNode,
    ask: () => AskNode,
    condition: () => ConditionNode,
    tool: () => ToolNode,
    transfer: () => TransferNode,
    end: () => EndNode,
  },
};

export const branches = ['yes', 'no'] as const;

@DescribeObject('From one node to the next.')
@Closed()
export class WorkflowEdge {
  @Required() @Text(nodeId) from!: string;
  @Required() @Text(nodeId) to!: string;
  @Optional()
  @IsIn(branches)
  @Describe('Only for edges that leave a condition.')
  branch?: (typeof branches)[number];
}

@DescribeObject('What a workflow does. Its graph is checked by `validation` and by the publication.')
@Closed()
export class WorkflowDefinition {
  @Required() @ArrayMaxSize(limits.workflowNodes.max) @ListOf(nodeShape) nodes!: WorkflowNode[];
  @Required() @ArrayMaxSize(limits.workflowEdges.max) @ListOf(() => WorkflowEdge) edges!: WorkflowEdge[];
}

@Closed()
export class CanvasViewport {
  @Required() @IsNumber() x!: number;
  @Required() @IsNumber() y!: number;
  @Required() @IsNumber() @Min(0.01) @Max(100) zoom!: number;
}

@DescribeObject('How an editor shows it: positions, viewport, collapsed_groups and nothing else.')
@Closed()
export class WorkflowLayout {
  @Optional() @JsonObjectWithin(4 * documentBytes) @Describe('{x, y} by node id.') positions?: Record<string, unknown>;
  @Optional() @Nested(() => CanvasViewport) viewport?: CanvasViewport;
  @Optional()
  @IsArray()
  @ArrayMaxSize(limits.workflowNodes.max)
  @Text({ min: 1, max: 64 }, { each: true })
  collapsed_groups?: string[];
}

@DescribeObject('Without a draft it begins with the published workflow, else with a start and an end.')
export class WorkflowDraftCreate extends WorkspaceNames {
  @Optional() @Nested(() => WorkflowDefinition) draft?: WorkflowDefinition;
  @Optional() @Nested(() => WorkflowLayout) layout?: WorkflowLayout;
}

@DescribeObject('A stale base_revision is WorkflowRevisionConflictError with the winner in `current`.')
@Ignores('agent_id', 'created_at', 'updated_at', 'revision', 'validation', 'warnings')
export class WorkflowDraftUpdate extends WorkspaceNames {
  @Required() @IsInt() @Min(1) base_revision!: number;
  @Required() @Nested(() => WorkflowDefinition) @Example({ nodes: [], edges: [] }) draft!: WorkflowDefinition;
  @Optional() @Nested(() => WorkflowLayout) @Describe('Absent: unchanged.') layout?: WorkflowLayout;
}

@DescribeObject('POST /v1/agents/{agent_id}/workflow/publish.')
export class WorkflowPublish extends WorkspaceNames {
  @Optional() @IsInt() @Min(1) @Describe('Refuses to publish another revision than this one.') base_revision?: number;
}

@DescribeObject('Why a draft cannot be published.')
export class WorkflowFault {
  @Required() @Text() code!: string;
  @Required() @Text() @Describe('The node or edge at fault, such as `node:ask_name` or `edge:3`.') scope!: string;
  @Required() @Text() detail!: string;
}

export class WorkflowValidation {
  @Required() @IsBoolean() valid!: boolean;
  @Required() @ListOf(() => WorkflowFault) faults!: WorkflowFault[];
}

@DescribeObject('A draft as reads show it: the workflow object of 2.11.')
export class WorkflowDraft {
  @Required() @Text() agent_id!: string;
  @Required() @IsInt() @Min(1) @Describe('base_revision of the next write; never used twice.') revision!: number;
  @Required() @Nested(() => WorkflowDefinition) draft!: WorkflowDefinition;
  @Required() @Nested(() => WorkflowLayout) layout!: WorkflowLayout;
  @Required() @Nested(() => WorkflowValidation) validation!: WorkflowValidation;
  @Optional()
  @IsArray()
  @Text({}, { each: true })
  @Describe('What no worker can do of its nodes; of saves, publishing and restoring, where there is something.')
  warnings?: string[];
  @Required() @Text() created_at!: string;
  @Required() @Text() updated_at!: string;
}

@DescribeObject('A published version, without its content.')
export class WorkflowVersionSummary {
  @Required() @IsInt() version!: number;
  @Required() @Text() @Describe('SHA-256 (hex) over the canonical JSON of the definition.') sha256!: string;
  @Required() @IsInt() node_count!: number;
  @Required() @Text() published_at!: string;
}

@DescribeObject('A complete published version.')
export class WorkflowVersion extends WorkflowVersionSummary {
  @Required() @Nested(() => WorkflowDefinition) definition!: WorkflowDefinition;
  @Optional()
  @IsArray()
  @Text({}, { each: true })
  @Describe('What no worker can do of its nodes; of saves, publishing and restoring, where there is something.')
  warnings?: string[];
}

@DescribeObject('GET /v1/agents/{agent_id}/workflow/versions/{version}.')
export class WorkflowVersionRecord extends WorkflowVersion {
  @Required() @Text() agent_id!: string;
  @Required() @Nested(() => WorkflowLayout) layout!: WorkflowLayout;
  @Required() @IsBoolean() @Describe('Whether calls that begin now follow it.') current!: boolean;
}

export class OffsetPage {
  @Required() @IsInt() @Min(0) offset!: number;
  @Required() @IsInt() limit!: number;
  @Required() @IsInt() @Min(0) total!: number;
}

@DescribeObject('GET /v1/agents/{agent_id}/workflow pages the versions.')
export class WorkflowReadQuery extends RouteQuery {
  @Optional() @IntWithin({ min: 0, max: 1_000_000 }) @Default(0) offset!: number;
  @Optional() @IntWithin(limits.pageSize) @Default(limits.pageSizeDefault) limit!: number;
}

export const workflowStates = ['none', 'draft', 'published'] as const;
export const phonePinStates = ['none', 'armed', 'disarmed', 'expired'] as const;

@DescribeObject('AgentWorkflowRead.')
export class AgentWorkflowRead {
  @Required() @Text() agent_id!: string;
  @Required()
  @IsIn(workflowStates)
  @Describe('draft while there is one, also next to a published version.')
  workflow_state!: string;
  @Required() @Nullable() @Nested(() => WorkflowVersionSummary) published!: WorkflowVersionSummary | null;
  @Required() @IsInt() @Min(0) version_count!: number;
  @Required() @ListOf(() => WorkflowVersionSummary) versions!: WorkflowVersionSummary[];
  @Required() @Nested(() => OffsetPage) versions_page!: OffsetPage;
  @Required() @Nullable() @Nested(() => WorkflowDraft) workflow!: WorkflowDraft | null;
}

@DescribeObject('POST /v1/agents/{agent_id}/workflow/phone-pin.')
export class PhonePinArm extends WorkspaceNames {
  @Optional()
  @IntWithin(limits.phonePinSeconds)
  @Default(limits.phonePinSecondsDefault)
  @Describe('Seconds until it expires.')
  expires_in_seconds?: number;
}

@DescribeObject('The PIN with which a test caller reaches the draft over the telephone.')
export class PhonePin {
  @Required() @Text() agent_id!: string;
  @Required() @IsIn(phonePinStates) state!: (typeof phonePinStates)[number];
  @Optional() @Secret() @Text() @Describe('Six digits; shown once, when it is armed.') pin?: string;
  @Required() @Nullable() @Text() armed_at!: string | null;
  @Required() @Nullable() @Text() expires_at!: string | null;
}
