import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Platform } from './platform';
import { until } from './until';

interface Entry {
  readonly service: string;
  readonly statement: string;
  parameters: string;
}

/** The statements that the database has executed, from its log. */
export class StatementLog {
  private constructor(
    private readonly platform: Platform,
    private readonly admin: pg.Client,
  ) {}

  static async open(platform: Platform): Promise<StatementLog> {
    const admin = new pg.Client({ connectionString: platform.databaseUrl });
    // The platform may be stopped before this connection is closed.
    admin.on('error', () => undefined);
    await admin.connect();
    for (const [name, value] of [
      ['log_line_prefix', '%p|%a|'],
      ['log_statement', 'all'],
      ['log_parameter_max_length', '-1'],
    ]) {
      await admin.query(`alter system set ${name} = '${value}'`);
    }
    await admin.query('select pg_reload_conf()');
    const log = new StatementLog(platform, admin);
    // A connection applies the new settings with its next statement, including this one.
    await until('statements are logged', async () => {
      const mark = randomUUID();
      await admin.query(`select '${mark}'`);
      return platform.logOf('postgres').includes(mark);
    });
    return log;
  }

  /**
   * Returns the statements that were executed during `work` and have one of these values among their parameters, in order for each service. Services may
   * execute statements concurrently, so there is no order between services.
   */
  async during(
    work: () => Promise<unknown>,
    parameters: readonly string[],
  ): Promise<Readonly<Record<string, readonly string[]>>> {
    const [begin, end] = [randomUUID(), randomUUID()];
    await this.admin.query(`select '${begin}'`);
    await work();
    await this.admin.query(`select '${end}'`);
    const text = await until('the log holds the end of the work', () => {
      const log = this.platform.logOf('postgres');
      return log.includes(end) ? log.slice(log.indexOf(begin), log.indexOf(end)) : undefined;
    });
    const ran: Record<string, string[]> = {};
    for (const entry of entriesOf(text)) {
      if (!parameters.some((parameter) => entry.parameters.includes(parameter))) continue;
      (ran[entry.service] ??= []).push(entry.statement);
    }
    return ran;
  }

  async close(): Promise<void> {
    await this.admin.query('alter system reset log_statement');
    await this.admin.query('select pg_reload_conf()');
    await this.admin.end();
  }
}

/** The text of a statement may have several lines; its parameters are in the DETAIL of the same backend process. */
function entriesOf(log: string): Entry[] {
  const entries: Entry[] = [];
  const last = new Map<string, Entry>();
  for (const message of log.split(/^(?=\d+\|)/m)) {
    const [, pid = '', service = '', kind, text = ''] =
      /^(\d+)\|([^|]*)\|(LOG|DETAIL):\s+([\s\S]*)$/.exec(message) ?? [];
    const open = last.get(pid);
    if (kind === 'DETAIL' && open !== undefined) open.parameters = text;
    if (kind !== 'LOG') continue;
    const entry = { service, statement: text.replace(/\s+/g, ' ').trim(), parameters: '' };
    last.set(pid, entry);
    entries.push(entry);
  }
  return entries;
}
