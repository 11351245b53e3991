import { Coverage } from '../objects/coverage';
import { Usage, UsageQuery } from '../objects/usage';
import { routesOf } from './define';

const route = routesOf('telephony');

export const usageRoutes = {
  getUsage: route('GET', '/v1/usage', {
    summary: 'Read what an organization used in a period',
    tool: 'Read what the organization used in a period: calls that were over, answered calls, seconds talked, messages sent and received, segments and cost. from and to are ISO 8601 times; the last 30 days without them. Use get_call_analytics for figures by hour, day, agent or reason.',
    scope: 'usage:read',
    query: UsageQuery,
    answer: Usage,
  }),
  getCoverage: route('GET', '/v1/coverage', {
    summary: 'Read which carriers and countries the organization can call',
    tool: 'Read which providers of numbers the organization can place calls from, with what is missing for the others, and which countries its policy lets it call. Use it before buying numbers or when calls are refused.',
    scope: 'coverage:read',
    answer: Coverage,
  }),
};
