import type { BaseConfig } from './config/base-config';
import type { ServiceDefinition } from './service-definition';

export async function runService<C extends BaseConfig>(definition: ServiceDefinition<C>): Promise<void> {
  throw new Error(`${definition.name}: the life cycle is not written yet`);
}
