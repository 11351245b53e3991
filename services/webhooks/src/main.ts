import { join } from 'node:path';
import { runService } from '@parley/runtime';
import { build } from './build';
import { WebhooksConfig } from './config';

void runService({ name: 'webhooks', config: WebhooksConfig, build, migrations: join(__dirname, '..', 'migrations') });
