import { allRoutes } from '@parley/contract';
import pg from 'pg';
import type { Platform } from '../platform';
import { until } from '../until';

/** The actions that a route declares, by its id. Typed RPCs do not transmit the user agent, so the tests of their services expect their entries. */
const declared = new Map(
  allRoutes.filter(({ rpc }) => rpc === undefined).map(({ id, audit }) => [id, audit as readonly string[]]),
);

/** The bodies that are accepted here may leave the agent as it is, which is not recorded. The integration tests of agents expect the entries. */
const mayChangeNothing = new Set(['save-agent-configuration', 'save-voice-stack']);

/** Compares the audit log with the requests of the fuzz tests, whose user agent is the id of the operation. */
export class AuditLog {
  private constructor(private readonly admin: pg.Client) {}

  static async open(platform: Platform): Promise<AuditLog> {
    const admin = new pg.Client({ connectionString: platform.databaseUrl });
    // The platform may be stopped before this connection is closed.
    admin.on('error', () => undefined);
    await admin.connect();
    return new AuditLog(admin);
  }

  /**
   * The operations that succeeded without an entry that their route declares. Entries arrive from the other services by events, so they are awaited.
   * @param succeeded the ids of the operations that succeeded
   */
  async unrecorded(succeeded: ReadonlySet<string>): Promise<readonly string[]> {
    const missing = async (): Promise<string[]> => {
      const found = new Set((await this.entries()).map(([id]) => id));
      return [...succeeded].filter(
        (id) => (declared.get(id) ?? []).length > 0 && !found.has(id) && !mayChangeNothing.has(id),
      );
    };
    await until('the audit log has all entries', async () => (await missing()).length === 0, 20_000).catch(
      () => undefined,
    );
    return missing();
  }

  /** The entries with an action that the route of their request does not declare, as `<operation> <action>`. */
  async undeclared(): Promise<readonly string[]> {
    const entries = (await this.entries()).filter(([id, action]) => declared.get(id)?.includes(action) === false);
    return entries.map((entry) => entry.join(' '));
  }

  private async entries(): Promise<readonly (readonly [string, string])[]> {
    const text = 'select distinct user_agent, action from auth.audit_log';
    const { rows } = await this.admin.query<{ user_agent: string; action: string }>(text);
    return rows.map(({ user_agent, action }) => [user_agent, action] as const);
  }

  async close(): Promise<void> {
    await this.admin.end();
  }
}
