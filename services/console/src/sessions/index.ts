/** Sign-in and sign-out: a key is exchanged for a platform session, stored in an encrypted cookie. */
export { sessionRouter } from './session-router';
