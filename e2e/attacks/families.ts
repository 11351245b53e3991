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

/** The families of attacks, in their order: the last one searches for what all others planted. README.md lists where other attacks are tested. */
const families = {
  'at the edge': edgeAttacks,
  'over MCP': mcpAttacks,
  'through events and long-running requests': eventAttacks,
  'on compliance and money': moneyAttacks,
  'with gateway tokens': gatewayAttacks,
  'through addresses and tools': addressAttacks,
  'with many or large requests': limitAttacks,
  'with bodies that never end or have too many names': bodyAttacks,
  'by small requests that cost much': costlyAttacks,
  'that must appear in the audit log': auditAttacks,
  'on numbers and carriers': numberAttacks,
  'by visitors of demos': visitorAttacks,
  'on media and listening': mediaAttacks,
  'with tokens of other deployments': deploymentAttacks,
  'on extraction and simulations': insightAttacks,
  'that send calls to another address': divertingAttacks,
  'on recordings and transcripts': recordingAttacks,
  'on campaigns and knowledge': listAttacks,
  'through tools of agents': toolAttacks,
  'from inside': insideAttacks,
  'by requests that no route accepts': malformedAttacks,
  'on secrets': secretAttacks,
};

type Family = keyof typeof families;

/** What runs for every change, in about two minutes: the widest of each kind. `npm run test:full` runs all. */
export const gateFamilies: readonly Family[] = [];
export const allFamilies = Object.keys(families) as Family[];

/** Attacks on one running platform. */
export function attack(chosen: readonly Family[]): void {
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
  describe.each(chosen)('%s', (family) => families[family](attacked));

  it('after all attacks every process still runs, and only agents that a test created have changed', async () => {
    expect((await fetch(`${world.platform.baseUrls[0]}/readyz`)).status).toBe(200);
    expect(processes()).toBe(processesBefore);
    const ids = (text: string) =>
      (JSON.parse(text) as { data: { agent_id: string }[] }).data.map((one) => one.agent_id);
    expect(ids(await world.agents())).toEqual(expect.arrayContaining(ids(agentsBefore)));
  });
}
