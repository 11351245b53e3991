/** Agents that are open to the public by a link (ADR 119). */
export { demoRpcs } from './demo-rpcs';
export { closeDemo, openDemo, readDemo } from './manage-demo';
