import { join } from 'node:path';
import { createLogger, type Database } from '@parley/runtime';
import { eventually, testDatabase, type TestDatabase } from '@parley/testing';
import { createCampaignRunner } from '../src/campaigns/run-campaign';
import type { Intake } from '../src/intake';
import type { Network } from '../src/network';
import type { Telephony } from '../src/telephony';

const silent = createLogger({ service: 'test', level: 'silent' });

describe('the campaign runner, if there is no campaign', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase({ schemaFile: join(__dirname, '..', 'schema.sql'), schema: 'telephony' });
  });
  afterAll(() => database.drop());

  it('polls with plain queries and opens no transaction', async () => {
    let [polls, transactions] = [0, 0];
    const counted: Database = {
      pool: database.db.pool,
      query: (statement) => {
        polls += 1;
        return database.db.query(statement);
      },
      transaction: (work) => {
        transactions += 1;
        return database.db.transaction(work);
      },
    };
    const runner = createCampaignRunner({ db: counted } as Partial<Telephony> as Telephony & Network & Intake, silent);
    await runner.start();
    await eventually(() => Promise.resolve(polls >= 3 ? true : undefined));
    await runner.stop();
    expect(transactions).toBe(0);
  });
});
