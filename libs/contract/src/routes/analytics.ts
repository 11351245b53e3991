import { CallAnalytics, CallAnalyticsQuery } from '../objects/analytics';
import { routesOf } from './define';

const route = routesOf('telephony');

export const analyticsRoutes = {
  getCallAnalytics: route('GET', '/v1/analytics/calls', {
    summary: 'Read how many calls there were, how long, for how much and how fast they were answered',
    tool: 'Read figures of the calls of the organization by hour or day: how many ended, how many were answered, seconds talked, cost, and how long callers waited for the agent (p50, p95). group_by breaks them down, for example by agent_id or ended_reason; from and to are ISO 8601 times. Use it for questions such as how many calls there were yesterday; use list_calls to see single calls.',
    scope: 'calls:read',
    query: CallAnalyticsQuery,
    answer: CallAnalytics,
  }),
};
