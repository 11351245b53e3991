/** Signing in and out: a key is exchanged for a session of the platform, which is in a sealed cookie. */
export { sessionRouter } from './session-router';
