import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { WebhooksConfig } from './config';

runService({ name: 'webhooks', config: WebhooksConfig, build, migrations: join(__dirname, '../migrations') }).catch(
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
