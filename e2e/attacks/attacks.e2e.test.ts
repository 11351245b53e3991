import { addressAttacks } from './addresses';
import { auditAttacks } from './audit';
import { bodyAttacks } from './bodies';
import { costlyAttacks } from './costly';
import { deploymentAttacks } from './deployments';
import { divertingAttacks } from './diverted';
import { edgeAttacks } from './edge';
import { eventAttacks } from './events';
import { gatewayAttacks } from './gateways';
import { insideAttacks } from './inside';
import { insightAttacks } from './insights';
import { limitAttacks } from './limits';
import { listAttacks } from './lists';
import { malformedAttacks } from './malformed';
import { mcpAttacks } from './mcp';
import { mediaAttacks } from './media';
import { moneyAttacks } from './money';
import { numberAttacks } from './numbers';
import { recordingAttacks } from './recordings';
import { secretAttacks } from './secrets';
import { toolAttacks } from './tools';
import { visitorAttacks } from './visitors';
import { World } from './world';

/** Attacks on one running platform, by family. README.md lists where other attacks are tested. */
describe('attacks', () => {
  let world: World;
  let agentsBefore: string;
  let processesBefore: string;

  const processes = (): string => JSON.stringify(world.platform.processes.map(({ name, pid }) => [name, pid]));

  beforeAll(async () => {
    world = await World.start();
    const post = `POST /v1/agents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${world.customer.key}\r\nContent-Type: application/json\r\n`;
    world.slow = Promise.all([
      world.raw('GET /v1/agents HTTP/1.1\r\nHost: a\r\nX-Slow: '),
      world.raw(`${post}Content-Length: 1000\r\n\r\n{"name":"`),
      world.raw(`${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
    ]);
    agentsBefore = await world.agents();
    processesBefore = processes();
  });
  afterAll(() => world?.stop());

  const attacked = (): World => world;
  describe('at the edge', () => edgeAttacks(attacked));
  describe('over MCP', () => mcpAttacks(attacked));
  describe('through events and long-running requests', () => eventAttacks(attacked));
  describe('on compliance and money', () => moneyAttacks(attacked));
  describe('with gateway tokens', () => gatewayAttacks(attacked));
  describe('through addresses and tools', () => addressAttacks(attacked));
  describe('with many or large requests', () => limitAttacks(attacked));
  describe('with bodies that never end or have too many names', () => bodyAttacks(attacked));
  describe('by small requests that cost much', () => costlyAttacks(attacked));
  describe('that must appear in the audit log', () => auditAttacks(attacked));
  describe('on numbers and carriers', () => numberAttacks(attacked));
  describe('by visitors of demos', () => visitorAttacks(attacked));
  describe('on media and listening', () => mediaAttacks(attacked));
  describe('with tokens of other deployments', () => deploymentAttacks(attacked));
  describe('on extraction and simulations', () => insightAttacks(attacked));
  describe('that send calls to another address', () => divertingAttacks(attacked));
  describe('on recordings and transcripts', () => recordingAttacks(attacked));
  describe('on campaigns and knowledge', () => listAttacks(attacked));
  describe('through tools of agents', () => toolAttacks(attacked));
  describe('from inside', () => insideAttacks(attacked));
  describe('by requests that no route accepts', () => malformedAttacks(attacked));
  describe('on secrets', () => secretAttacks(attacked));

  it('after all attacks every process still runs, and only agents that a test created have changed', async () => {
    expect((await fetch(`${world.platform.baseUrls[0]}/readyz`)).status).toBe(200);
    expect(processes()).toBe(processesBefore);
    const ids = (text: string) =>
      (JSON.parse(text) as { data: { agent_id: string }[] }).data.map((one) => one.agent_id);
    expect(ids(await world.agents())).toEqual(expect.arrayContaining(ids(agentsBefore)));
  });
});
